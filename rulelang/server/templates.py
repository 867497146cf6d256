"""Whole constructs to begin with, each beginning with a word of the grammar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lsprotocol import types

if TYPE_CHECKING:
    from collections.abc import Iterator

TOP: Final[dict[str, tuple[str, str]]] = {
    "game": ("the header of a game", 'game ${1:name} "${2:Title}":\n    players ${3:2..4}\n'),
    "component": (
        "a kind of component with fields",
        "component ${1:Kind} (${2:1}):\n    ${3:field}: ${4:0..} = ${5:0}\n",
    ),
    "component from": (
        "a kind of component, a row of a file for each",
        'component ${1:Kind} from "data/${2:file}.csv":\n    ${3:column}: ${4:Text}\n',
    ),
    "option": ("an option", "option ${1:name}: ${2:one} or ${3:other} = ${2:one}\n"),
    "define": ("a definition", "define ${1:name}(${2:player}) = ${3:value}\n"),
    "define with exceptions": (
        "a definition with an exception",
        "define ${1:name}(${2:player}) = ${3:value}:\n    ${4:label}: ${5:other} when ${6:condition}\n",
    ),
    "define enumeration": ("an enumeration", "define ${1:Name} = ${2:one}, ${3:two}\n"),
    "table": (
        "a table",
        "table ${1:name}(${2:number}: ${3:Number}):\n    ${4:1..3}: ${5:value}\n    else: ${6:value}\n",
    ),
    "may": (
        "an action with what it needs",
        "may ${1:name}(${2:player}):\n    ${3:need}: ${4:condition}\n    then: ${5:do nothing}\n",
    ),
    "effect": ("something that is done", "effect ${1:name}(${2:player}):\n    ${3:do nothing}\n"),
    "phase": ("a phase with a step", "phase ${1:name}:\n    step ${2:first}: ${3:do nothing}\n"),
    "before": ("a rule before something is done", "before ${1:doing}:\n    ${2:do nothing}\n"),
    "after": ("a rule after something is done", "after ${1:doing}:\n    ${2:do nothing}\n"),
    "instead of": ("a rule in place of something", "instead of ${1:doing}:\n    ${2:do nothing}\n"),
    "when": ("a rule about a state", "when ${1:condition}: ${2:do nothing}\n"),
    "card": ("the rules of a card", "card ${1:id}:\n    ${2:after doing: do nothing}\n"),
    "always": ("what always holds", 'always "${1:What holds}": ${2:condition}\n'),
    "variant": (
        "a variant",
        'variant ${1:name} "${2:Title}" of ${3:game}:\n    ${4:change option name = value}\n',
    ),
    "preset": ("a preset", 'preset "${1:Title}" of ${2:game}:\n    with ${3:house_rule}\n'),
    "scenario": (
        "a scenario",
        'scenario "${1:Title}" of ${2:game}:\n    people ${3:anne}\n    do ${4:doing}\n    after:\n        ${5:flag}\n',
    ),
}
INSIDE: Final[dict[str, tuple[str, str]]] = {
    "step": ("a step of a phase", "step ${1:name}:\n    ${2:do nothing}"),
    "keeps": ("a value that the phase keeps", "keeps ${1:name}: ${2:Number} = ${3:0}"),
    "if": ("a condition", "if ${1:condition}:\n    ${2:do nothing}"),
    "if else": (
        "a condition with the other case",
        "if ${1:condition}:\n    ${2:do nothing}\nelse:\n    ${3:do nothing}",
    ),
    "each": ("something for each", "each ${1:player} in ${2:players}:\n    ${3:do nothing}"),
    "while": ("something as long as", "while ${1:condition}:\n    ${2:do nothing}"),
    "let roll": ("a roll", "let ${1:die} = roll ${2:D6}"),
    "chooses": ("a choice of one", '${1:player} chooses ${2:thing} from ${3:set} "${4:Which?}"'),
    "chooses options": (
        "a choice among alternatives",
        '${1:player} chooses "${2:What?}":\n    "${3:One}": ${4:do nothing}\n    "${5:Other}": ${6:do nothing}',
    ),
    "may ask": (
        "something that may be left out",
        '${1:player} may "${2:Do it?}":\n    ${3:do nothing}',
    ),
    "secretly": (
        "a choice of all at once",
        "secretly each ${1:player} in ${2:players} chooses ${3:thing} from ${4:set}:\n    ${5:do nothing}",
    ),
    "until": (
        "rules for a while",
        "until end of ${1:round}:\n    after ${2:doing}: ${3:do nothing}",
    ),
}


def snippets(*, top: bool) -> Iterator[types.CompletionItem]:
    """Give the constructs that can stand at the left edge, or in a block."""
    for label, (detail, text) in (TOP if top else INSIDE).items():
        yield types.CompletionItem(
            label=label,
            kind=types.CompletionItemKind.Snippet,
            detail=detail,
            insert_text=text,
            insert_text_format=types.InsertTextFormat.Snippet,
            insert_text_mode=types.InsertTextMode.AdjustIndentation,
            sort_text=f"0{label}",
        )
