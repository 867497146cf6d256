"""Every feature of the language server, over the real protocol, on a ruleset of more than 1,000 lines."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.server.session import said

if TYPE_CHECKING:
    from tests.server.session import Session

pytestmark = pytest.mark.asyncio(loop_scope="module")

BOOTY = "booty.rules"
MORE_ROLLS = "variants/more_rolls.rules"
SCENARIOS = "scenarios/booty.rules"
PORTS = "data/ports.csv"
ROW = "santo_domingo.goods is 1 and petit_goave.goods is 1"


def messages(found: list[types.Diagnostic]) -> list[str]:
    return [each.message.partition("\n")[0] for each in found]


def lines_of(found: list[types.Location], path: str, session: Session) -> list[int]:
    return [each.range.start.line for each in found if each.uri == session.address(path)]


async def test_the_ruleset_has_a_thousand_lines(session: Session) -> None:
    texts = [path.read_text() for path in session.root.glob("*.rules")]
    assert sum(text.count("\n") for text in texts) > 1000


# ---------------------------------------------------------------- findings


async def test_a_mistake_is_found_while_it_is_written_and_goes(session: Session) -> None:
    session.open(BOOTY)
    session.replace(BOOTY, "do place_merchant\n", "do place_merchant(\n")
    found = await session.until(BOOTY, bool)
    assert found[0].code == "E0105"
    assert found[0].severity == types.DiagnosticSeverity.Error
    assert found[0].source == "rulelang"
    page = found[0].code_description
    assert page is not None
    assert page.href.endswith("E0105.md")
    session.replace(BOOTY, "do place_merchant(\n", "do place_merchant\n")
    assert await session.until(BOOTY, lambda found: not found) == []


async def test_an_unknown_name_is_found_with_advice(session: Session) -> None:
    session.replace(BOOTY, "goods_left when", "goods_lef when")
    found = await session.until(BOOTY, lambda found: any(each.code == "E0201" for each in found))
    assert "goods_lef" in found[0].message
    assert "did you mean `goods_left`?" in found[0].message
    session.replace(BOOTY, "goods_lef when", "goods_left when")
    await session.until(BOOTY, lambda found: not found)


async def test_a_mistake_in_another_file_is_found_there(session: Session) -> None:
    session.open(BOOTY)
    session.replace(BOOTY, "effect call_event(merchant)", "effect call_the_event(merchant)")
    await session.until(BOOTY, lambda found: any("call_event" in each.message for each in found))
    session.replace(BOOTY, "effect call_the_event(merchant)", "effect call_event(merchant)")
    await session.until(BOOTY, lambda found: not found)


async def test_a_mistake_in_a_variant_is_found(session: Session) -> None:
    session.replace(MORE_ROLLS, "player.rolls_again becomes no", "player.roll_again becomes no")
    found = await session.until(MORE_ROLLS, bool)
    assert any("roll_again" in message for message in messages(found))
    session.replace(MORE_ROLLS, "player.roll_again becomes no", "player.rolls_again becomes no")
    await session.until(MORE_ROLLS, lambda found: not found)


async def test_findings_move_with_the_lines_above_them(session: Session) -> None:
    session.replace(BOOTY, "goods_left when", "goods_lef when")
    found = await session.until(BOOTY, bool)
    line = found[0].range.start.line
    session.write(BOOTY, "# One line more.\n" + session.texts[BOOTY])
    found = await session.until(BOOTY, lambda found: found and found[0].range.start.line != line)
    assert [each.range.start.line for each in found] == [line + 1]
    session.write(
        BOOTY, session.texts[BOOTY].partition("\n")[2].replace("goods_lef ", "goods_left ")
    )
    await session.until(BOOTY, lambda found: not found)


async def test_a_data_file_is_checked_as_it_is_open(session: Session) -> None:
    session.open(PORTS)
    session.write(PORTS, session.texts[PORTS].replace(",high_seas,west", ",high_sea,west", 1))
    found = await session.until(PORTS, bool)
    assert any("high_sea" in message for message in messages(found))
    session.write(PORTS, session.texts[PORTS].replace(",high_sea,west", ",high_seas,west", 1))
    await session.until(PORTS, lambda found: not found)


# ---------------------------------------------------------------- shape


async def test_symbols_are_the_declarations_with_what_they_hold(session: Session) -> None:
    found = await session.client.text_document_document_symbol_async(
        types.DocumentSymbolParams(session.document(BOOTY))
    )
    assert found is not None
    names = {each.name: each for each in found}
    phase = names["booty_phase"]
    assert isinstance(phase, types.DocumentSymbol)
    assert phase.kind == types.SymbolKind.Namespace
    inside = [each.name for each in phase.children or ()]
    assert inside == ["column", "column_roll", "goods", "merchant", "random_events"]
    assert "place_goods" in names


async def test_symbols_of_the_workspace_are_found_by_a_part_of_the_name(session: Session) -> None:
    session.open(BOOTY)
    found = await session.client.workspace_symbol_async(types.WorkspaceSymbolParams("more_roll"))
    assert found is not None
    assert [(each.name, each.location.uri) for each in found] == [
        ("more_rolls", session.address(MORE_ROLLS))
    ]


async def test_blocks_and_comments_fold(session: Session) -> None:
    found = await session.client.text_document_folding_range_async(
        types.FoldingRangeParams(session.document(BOOTY))
    )
    assert found is not None
    start = session.at(BOOTY, "effect place_merchant").line
    lines = session.texts[BOOTY].split("\n")
    fold = next(each for each in found if each.start_line == start)
    assert (
        lines[fold.end_line].strip() == "if old_merchant is not none: do call_event(old_merchant)"
    )
    nested = session.at(BOOTY, "if not any board.merchants and").line
    assert any(each.start_line == nested for each in found)


async def test_a_selection_grows_to_the_declaration(session: Session) -> None:
    place = session.at(BOOTY, "let sea = zone_rolled(die)", "die")
    found = await session.client.text_document_selection_range_async(
        types.SelectionRangeParams(session.document(BOOTY), [place])
    )
    assert found is not None
    grown: list[str] = []
    here: types.SelectionRange | None = found[0]
    while here is not None:
        grown.append(said(session.texts[BOOTY], here.range))
        here = here.parent
    assert grown[0] == "die"
    assert "zone_rolled(die)" in grown
    assert "let sea = zone_rolled(die)" in grown
    assert any(text.startswith("effect place_merchant") for text in grown)


async def test_formatting_writes_the_one_style(session: Session) -> None:
    session.replace(
        BOOTY, "    let die = roll D6 [PYR-BOOTY-10]", "    let   die=roll D6   [PYR-BOOTY-10]"
    )
    found = await session.client.text_document_formatting_async(
        types.DocumentFormattingParams(session.document(BOOTY), types.FormattingOptions(4, True))
    )
    assert found
    assert "    let die = roll D6 [PYR-BOOTY-10]\n" in found[0].new_text
    session.replace(
        BOOTY, "    let   die=roll D6   [PYR-BOOTY-10]", "    let die = roll D6 [PYR-BOOTY-10]"
    )
    await session.until(BOOTY, lambda found: not found)


# ---------------------------------------------------------------- names


async def hover_at(session: Session, path: str, place: types.Position) -> str:
    found = await session.client.text_document_hover_async(
        types.HoverParams(session.document(path), place)
    )
    assert found is not None
    assert isinstance(found.contents, types.MarkupContent)
    return found.contents.value


async def test_hover_shows_declaration_and_citation(session: Session) -> None:
    place = session.at(BOOTY, "do load_cargo(merchant)", "load_cargo")
    text = await hover_at(session, BOOTY, place)
    assert "effect load_cargo(merchant)" in text
    assert "**PYR-BOOTY-11** " in text  # with what the rulebook says


async def test_hover_shows_the_type_of_names_and_fields(session: Session) -> None:
    assert "die: 1..6" in await hover_at(
        session, BOOTY, session.at(BOOTY, "zone_rolled(die)", "die")
    )
    field = session.at(BOOTY, "merchant.escorted becomes no", "escorted")
    assert "Merchant.escorted: Flag" in await hover_at(session, BOOTY, field)


async def test_hover_shows_comment_and_the_variants_that_touch_a_name(session: Session) -> None:
    text = await hover_at(
        session,
        MORE_ROLLS,
        session.at(MORE_ROLLS, "each i in 1..more_bonus_rolls", "more_bonus_rolls"),
    )
    assert "How many rolls more does each of them get" in text
    assert "of the variant `more_rolls`" in text
    used = session.at(MORE_ROLLS, "do roll_bonus(player)", "roll_bonus")
    text = await hover_at(session, MORE_ROLLS, used)
    assert "Touched by:" in text
    assert "after in the variant `more_rolls`" in text


async def test_hover_shows_what_a_built_in_takes(session: Session) -> None:
    assert "count(S)" in await hover_at(
        session, BOOTY, session.at(BOOTY, "= count(ports where", "count")
    )


async def test_hover_shows_the_rule_behind_a_citation(session: Session) -> None:
    text = await hover_at(
        session, BOOTY, session.at(BOOTY, "effect place_merchant [PYR-BOOTY-09]", "PYR-")
    )
    assert text.startswith("**PYR-BOOTY-09** ")


async def definition_at(session: Session, path: str, place: types.Position) -> list[types.Location]:
    found = await session.client.text_document_definition_async(
        types.DefinitionParams(session.document(path), place)
    )
    assert isinstance(found, list)
    return [each for each in found if isinstance(each, types.Location)]


async def test_definition_goes_to_another_file(session: Session) -> None:
    found = await definition_at(
        session, BOOTY, session.at(BOOTY, "= zone_rolled(die)", "zone_rolled")
    )
    assert len(found) == 1
    place = found[0].uri.rsplit("/", 1)[1]
    assert said((session.root / place).read_text(), found[0].range) == "zone_rolled"
    assert place != BOOTY


async def test_definition_goes_from_a_variant_to_the_base_and_to_the_variant(
    session: Session,
) -> None:
    base = await definition_at(
        session, MORE_ROLLS, session.at(MORE_ROLLS, "before setup.bonus", "bonus")
    )
    assert [each.uri for each in base] == [session.address("setup.rules")]
    own = await definition_at(
        session, MORE_ROLLS, session.at(MORE_ROLLS, "if any automas:", "automas")
    )
    assert len(own) == 1
    field = await definition_at(
        session, MORE_ROLLS, session.at(MORE_ROLLS, "when player.rolls_again", "rolls_again")
    )
    assert [each.uri for each in field] == [session.address(MORE_ROLLS)]


async def test_definition_goes_to_the_row_of_a_data_file(session: Session) -> None:
    place = session.at(SCENARIOS, ROW, "petit_goave")
    found = await definition_at(session, SCENARIOS, place)
    assert [each.uri for each in found] == [session.address(PORTS)]
    assert said((session.root / PORTS).read_text(), found[0].range) == "petit_goave"


async def test_definition_of_a_citation_is_the_row_of_the_rulebook(session: Session) -> None:
    place = session.at(BOOTY, "effect place_merchant [PYR-BOOTY-09]", "PYR-")
    found = await definition_at(session, BOOTY, place)
    assert [each.uri for each in found] == [session.address("rules.csv")]


async def references_at(
    session: Session, path: str, place: types.Position, *, declaration: bool = True
) -> list[types.Location]:
    found = await session.client.text_document_references_async(
        types.ReferenceParams(types.ReferenceContext(declaration), session.document(path), place)
    )
    assert found is not None
    return list(found)


async def test_references_go_through_base_variants_and_scenarios(session: Session) -> None:
    place = session.at("setup.rules", "effect roll_bonus", "roll_bonus")
    found = await references_at(session, "setup.rules", place)
    files = {each.uri.removeprefix(session.root.as_uri() + "/") for each in found}
    assert "setup.rules" in files
    assert MORE_ROLLS in files
    for each in found:
        path = each.uri.removeprefix(session.root.as_uri() + "/")
        assert said((session.root / path).read_text(), each.range) == "roll_bonus"
    every = sum(
        len(re.findall(r"(?<!\w)roll_bonus(?!\w)", re.sub(r"#.*", "", path.read_text())))
        for path in session.root.rglob("*.rules")
    )
    assert len(found) == every


async def test_references_of_a_row_are_found_in_data_files(session: Session) -> None:
    place = session.at(SCENARIOS, ROW, "petit_goave")
    found = await references_at(session, SCENARIOS, place)
    files = {each.uri.removeprefix(session.root.as_uri() + "/") for each in found}
    assert {PORTS, "data/random_port_table.csv", SCENARIOS} <= files


async def test_fields_of_one_name_are_told_apart(session: Session) -> None:
    place = session.at(BOOTY, "merchant gains old_merchant.gold gold", "gold")
    found = await references_at(session, BOOTY, place)
    lines = lines_of(found, "components.rules", session)
    text = (session.root / "components.rules").read_text().split("\n")
    assert [line for line in lines if "cargo_gold" not in text[line]] == lines
    declared = [text[line] for line in lines]
    assert len(declared) == 1  # that of Merchant, not those of Port and Player


async def test_a_name_is_highlighted_where_it_is_known(session: Session) -> None:
    place = session.at(BOOTY, "zone_rolled(die)", "die")
    found = await session.client.text_document_document_highlight_async(
        types.DocumentHighlightParams(session.document(BOOTY), place)
    )
    assert found is not None
    assert [each.range.start.line for each in found] == [place.line - 1, place.line]


async def test_completion_offers_names_in_scope_and_snippets(session: Session) -> None:
    session.replace(
        BOOTY, "    do load_cargo(merchant)\n", "    do load_cargo(merchant)\n    do \n    \n"
    )
    place = session.at(BOOTY, "    do load_cargo(merchant)\n    do ", end=True)
    offered = await complete_at(session, place)
    assert {"place_goods", "perform", "shuffle"} <= offered.keys()
    assert "goods_left" not in offered  # a definition is not done
    place = types.Position(place.line + 1, 4)
    offered = await complete_at(session, place)
    assert offered["old_merchant"].detail == "Merchant or none"
    assert offered["goods_left"].kind == types.CompletionItemKind.Function
    assert offered["if else"].insert_text_format == types.InsertTextFormat.Snippet
    session.replace(
        BOOTY, "    do load_cargo(merchant)\n    do \n    \n", "    do load_cargo(merchant)\n"
    )
    await session.until(BOOTY, lambda found: not found)


async def complete_at(session: Session, place: types.Position) -> dict[str, types.CompletionItem]:
    found = await session.client.text_document_completion_async(
        types.CompletionParams(session.document(BOOTY), place)
    )
    assert isinstance(found, types.CompletionList)
    return {each.label: each for each in found.items}


@pytest.mark.parametrize(
    ("line", "offered", "not_offered"),
    [
        ("    let x = merchant.", {"escorted", "booty", "goods"}, {"fame", "place_goods"}),
        ("    let x = merchant.place.", {"first_roll"}, {"escorted"}),
        ("    let x = booty_phase.", {"column", "goods"}, {"escorted"}),
        ("    let x = Port where its ", {"nation", "gold"}, {"fame"}),
        ("    if merchant.nation is ", {"british", "spanish"}, set()),
        ("    do nothing [PYR-BO", {"PYR-BOOTY-01", "PYR-RULING-04"}, {"merchant"}),
    ],
)
async def test_completion_knows_the_place(
    session: Session, line: str, offered: set[str], not_offered: set[str]
) -> None:
    before = "effect perform(merchant) [PYR-BOOTY-14]:\n"
    session.replace(BOOTY, before, f"{before}{line}\n")
    place = session.at(BOOTY, f"{before}{line}", end=True)
    found = await complete_at(session, place)
    assert offered <= found.keys()
    assert not not_offered & found.keys()
    session.replace(BOOTY, f"{before}{line}\n", before)
    await session.until(BOOTY, lambda found: not found)


async def test_completion_at_the_left_edge_offers_constructs(session: Session) -> None:
    session.write(BOOTY, session.texts.get(BOOTY, (session.root / BOOTY).read_text()) + "\n")
    place = types.Position(session.texts[BOOTY].count("\n"), 0)
    found = await complete_at(session, place)
    assert {"scenario", "component from", "define with exceptions"} <= found.keys()
    session.write(BOOTY, session.texts[BOOTY][:-1])


async def rename_at(
    session: Session, path: str, place: types.Position, new: str
) -> dict[str, list[types.TextEdit]]:
    found = await session.client.text_document_rename_async(
        types.RenameParams(session.document(path), place, new)
    )
    assert found is not None
    assert found.changes is not None
    prefix = session.root.as_uri() + "/"
    return {uri.removeprefix(prefix): list(edits) for uri, edits in found.changes.items()}


async def test_rename_goes_across_files(session: Session) -> None:
    place = session.at("setup.rules", "effect roll_bonus", "roll_bonus")
    allowed = await session.client.text_document_prepare_rename_async(
        types.PrepareRenameParams(session.document("setup.rules"), place)
    )
    assert isinstance(allowed, types.Range)
    edits = await rename_at(session, "setup.rules", place, "roll_extra")
    assert edits.keys() == {"setup.rules", MORE_ROLLS}
    assert {edit.new_text for found in edits.values() for edit in found} == {"roll_extra"}


async def test_rename_of_a_row_reaches_rules_and_data(session: Session) -> None:
    place = session.at(SCENARIOS, ROW, "petit_goave")
    edits = await rename_at(session, SCENARIOS, place, "small_goave")
    assert {PORTS, "data/random_port_table.csv", SCENARIOS} <= edits.keys()


async def test_rename_that_would_break_the_rules_is_refused(session: Session) -> None:
    place = session.at("setup.rules", "effect roll_bonus", "roll_bonus")
    with pytest.raises(JsonRpcException, match="would not check"):
        await rename_at(session, "setup.rules", place, "place_goods")
    with pytest.raises(JsonRpcException, match="is a word of the language"):
        await rename_at(session, "setup.rules", place, "phase")
    with pytest.raises(JsonRpcException, match="begins with a small letter"):
        await rename_at(session, "setup.rules", place, "Bonus")


async def test_rename_of_a_citation_is_refused(session: Session) -> None:
    place = session.at(BOOTY, "effect place_merchant [PYR-BOOTY-09]", "PYR-")
    with pytest.raises(JsonRpcException, match="is not a name that rules give"):
        await session.client.text_document_prepare_rename_async(
            types.PrepareRenameParams(session.document(BOOTY), place)
        )


# ---------------------------------------------------------------- fixes, colours, hints, lenses


async def test_a_fix_is_offered_as_an_action(session: Session) -> None:
    session.replace(
        BOOTY, "    let die = roll D6 [PYR-BOOTY-10]", "\tlet die = roll D6 [PYR-BOOTY-10]"
    )
    found = await session.until(BOOTY, lambda found: any(each.code == "E0101" for each in found))
    tab = next(each for each in found if each.code == "E0101")
    offered = await session.client.text_document_code_action_async(
        types.CodeActionParams(session.document(BOOTY), tab.range, types.CodeActionContext([tab]))
    )
    assert offered is not None
    titles = [each.title for each in offered]
    assert titles == ["replace the tab by spaces", "Fix all that is safe to fix"]
    action = offered[0]
    assert isinstance(action, types.CodeAction)
    assert action.edit is not None
    assert action.edit.changes is not None
    edits = action.edit.changes[session.address(BOOTY)]
    assert [edit.new_text for edit in edits] == ["    "]
    session.replace(
        BOOTY, "\tlet die = roll D6 [PYR-BOOTY-10]", "    let die = roll D6 [PYR-BOOTY-10]"
    )
    await session.until(BOOTY, lambda found: not found)


async def test_semantic_tokens_tell_what_words_are(session: Session) -> None:
    found = await session.client.text_document_semantic_tokens_full_async(
        types.SemanticTokensParams(session.document(BOOTY))
    )
    assert found is not None
    kinds = unpacked(session.texts[BOOTY], list(found.data))
    assert ("phase", "keyword") in kinds
    assert ("booty_phase", "namespace") in kinds
    assert ("column", "variable") in kinds
    assert ("place_goods", "method") in kinds
    assert ("goods_left", "function") in kinds
    assert ("foreign_ship", "property") in kinds
    assert ("none_if_short", "enumMember") in kinds
    assert ("booty_phase_shortage", "macro") in kinds
    assert ("D6", "enum") in kinds
    assert ("Merchant", "class") in kinds
    assert ("# 1. Booty phase.", "comment") in kinds


def unpacked(text: str, data: list[int]) -> set[tuple[str, str]]:
    from rulelang.server.colouring import TYPES  # noqa: PLC0415 - what the numbers stand for

    lines = text.split("\n")
    line = column = 0
    found = set()
    for at in range(0, len(data), 5):
        down, right, length, kind, _ = data[at : at + 5]
        line, column = line + down, right if down else column + right
        found.add((lines[line][column : column + length], TYPES[kind]))
    return found


async def hints_in(session: Session, path: str) -> dict[int, list[str]]:
    document = session.document(path)
    last = session.texts[path].count("\n")
    found = await session.client.text_document_inlay_hint_async(
        types.InlayHintParams(document, types.Range(types.Position(0, 0), types.Position(last, 0)))
    )
    by_line: dict[int, list[str]] = {}
    for each in found or ():
        by_line.setdefault(each.position.line, []).append(str(each.label))
    return by_line


async def test_inlay_hints_tell_types_that_names_do_not_say(session: Session) -> None:
    found = await hints_in(session, BOOTY)
    assert found[session.at(BOOTY, "let open_ports =").line] == [": list of Port"]
    assert found[session.at(BOOTY, "let die = roll D6 [PYR").line] == [": 1..6"]
    assert session.at(BOOTY, "let sea = zone_rolled").line not in found  # its name says it


async def test_inlay_hints_tell_the_odds_of_dice(session: Session) -> None:
    before = "effect perform(merchant) [PYR-BOOTY-14]:\n"
    more = "    let one_die = roll D6\n    if one_die >= 5: do nothing\n"
    more += "    let dice = roll 2 of D6\n    if sum(dice) is 7: do nothing\n"
    session.replace(BOOTY, before, before + more)
    found = await hints_in(session, BOOTY)
    assert found[session.at(BOOTY, "if one_die >= 5").line] == ["1/3 = 33.3%"]
    assert found[session.at(BOOTY, "if sum(dice) is 7").line] == ["1/6 = 16.7%"]
    session.replace(BOOTY, before + more, before)
    await session.until(BOOTY, lambda found: not found)


async def lenses_in(session: Session, path: str) -> list[types.CodeLens]:
    found = await session.client.text_document_code_lens_async(
        types.CodeLensParams(session.document(path))
    )
    assert found is not None
    return list(found)


async def test_a_lens_tells_how_many_variants_change_something(session: Session) -> None:
    found = await lenses_in(session, "setup.rules")
    line = session.at("setup.rules", "effect roll_bonus").line
    lens = next(each for each in found if each.range.start.line == line)
    assert lens.command is not None
    assert re.fullmatch(r"changed by \d+ variants?", lens.command.title)
    assert lens.command.command == "rulelang.showPlaces"


async def test_a_lens_runs_a_scenario(session: Session) -> None:
    found = await lenses_in(session, SCENARIOS)
    lens = found[0].command
    assert lens is not None
    assert lens.title == "run scenario"
    session.client.messages.clear()
    done = await session.client.workspace_execute_command_async(
        types.ExecuteCommandParams(lens.command, lens.arguments)
    )
    assert isinstance(done, dict)
    assert done["passed"] is True
    assert session.client.messages
    assert session.client.messages[-1].type == types.MessageType.Info


# ---------------------------------------------------------------- signatures


async def signature_at(session: Session, place: types.Position) -> types.SignatureHelp | None:
    return await session.client.text_document_signature_help_async(
        types.SignatureHelpParams(session.document(BOOTY), place)
    )


@pytest.mark.parametrize(
    ("line", "label", "at"),
    [
        ("    do place_goods(", "place_goods(column: D6)", 0),
        ("    do launch(first(Player), ", "launch(player: Player, port: Port)", 1),
        ("    let x = merchant.place.rate_for(", "port.rate_for(player: Player)", 0),
        ("    let x = count(", "count(S)", 0),
        ("    do place_goods(first(", "first(S)", 0),
        ("    let x = count(ports) + sum(Port.gold", "sum(S)", 0),
    ],
)
async def test_a_signature_is_shown_while_arguments_are_written(
    session: Session, line: str, label: str, at: int
) -> None:
    before = "effect perform(merchant) [PYR-BOOTY-14]:\n"
    session.replace(BOOTY, before, f"{before}{line}\n")
    found = await signature_at(session, session.at(BOOTY, f"{before}{line}", end=True))
    session.replace(BOOTY, f"{before}{line}\n", before)
    await session.until(BOOTY, lambda found: not found)
    assert found is not None
    shown = found.signatures[found.active_signature or 0]
    assert (shown.label, found.active_parameter) == (label, at)
    assert shown.parameters is not None
    place = shown.parameters[at].label
    assert isinstance(place, tuple)
    first, last = place
    assert label[first:last] in label.partition("(")[2]


async def test_no_signature_outside_of_a_call(session: Session) -> None:
    place = session.at(BOOTY, "    let die = roll D6 [PYR-BOOTY-10]", "roll")
    assert await signature_at(session, place) is None


# ---------------------------------------------------------------- warnings that are silenced


async def test_a_warning_can_be_silenced_by_an_action(session: Session) -> None:
    text = session.texts.get(BOOTY, (session.root / BOOTY).read_text())
    unused = "\ndefine quite_idle_number = 1 +\n    2\n"
    session.write(BOOTY, text + unused)
    found = await session.until(BOOTY, lambda found: any(each.code == "E0210" for each in found))
    warning = next(each for each in found if each.code == "E0210")
    offered = await session.client.text_document_code_action_async(
        types.CodeActionParams(
            session.document(BOOTY), warning.range, types.CodeActionContext([warning])
        )
    )
    titles = {each.title: each for each in offered or ()}
    assert {
        "Allow unused-declaration here",
        "Allow unused-declaration in this file",
    } <= titles.keys()
    for title, action in titles.items():
        if not title.startswith("Allow"):
            continue
        assert isinstance(action, types.CodeAction)
        assert action.edit is not None
        assert action.edit.changes is not None
        (edit,) = action.edit.changes[session.address(BOOTY)]
        lines = (text + unused).split("\n")
        lines.insert(edit.range.start.line, edit.new_text.rstrip("\n"))
        session.write(BOOTY, "\n".join(lines))
        await session.until(BOOTY, lambda found: not found)
        session.write(BOOTY, text + unused)
        await session.until(BOOTY, bool)
    session.write(BOOTY, text)
    await session.until(BOOTY, lambda found: not found)


async def test_an_error_cannot_be_silenced(session: Session) -> None:
    session.replace(BOOTY, "do place_merchant\n", "do place_nothing\n")
    found = await session.until(BOOTY, bool)
    offered = await session.client.text_document_code_action_async(
        types.CodeActionParams(
            session.document(BOOTY), found[0].range, types.CodeActionContext(found)
        )
    )
    assert not [each.title for each in offered or () if each.title.startswith("Allow")]
    session.replace(BOOTY, "do place_nothing\n", "do place_merchant\n")
    await session.until(BOOTY, lambda found: not found)
