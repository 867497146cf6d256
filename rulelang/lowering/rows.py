"""Rows of tables: what they look up, that every key has one, and how variants replace and add some."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import evolve

from rulelang import ir, nodes, ruletypes
from rulelang.lowering.context import is_broken
from rulelang.lowering.events import Events
from rulelang.lowering.scope import Function, Scope

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulelang.ir import Type
    from rulelang.lowering.context import DefinitionBuilder


class Rows(Events):
    """Lowers the keys of tables, and value tables."""

    changed_elsewhere: set[str]
    table_changes: dict[str, list[nodes.ChangeTableDecl]]

    def find_table_changes(self) -> None:
        """Note which tables variants change, in the published order; report changes of what is no table."""
        self.table_changes = {}
        known = [name for name, found in self.ctx.tables.symbols.items() if found.form == "table"]
        for item, _ in self.ctx.tables.items:
            if not isinstance(item, nodes.ChangeTableDecl):
                continue
            if item.name.text in known:
                self.table_changes.setdefault(item.name.text, []).append(item)
                continue
            close = self.nearest(item.name.text, known)
            self.ctx.error(
                "change-of-nothing",
                item.name,
                f"there is no table `{item.name.text}` to change",
                advice=f"did you mean `{close}`?" if close else None,
            )

    def rows_of(self, node: nodes.TableDecl) -> list[nodes.Row]:
        """Give the rows of a table, then those of the changes to it."""
        changes = self.table_changes.get(node.name.text, ())
        return [*node.rows, *(row for change in changes for row in change.rows)]

    def wanted(self, values: Sequence[nodes.Expr], scope: Scope) -> Type | None:
        """Find out what bare words among the values of a definition are words of."""
        if not any(self._is_bare_word(value, scope) for value in values):
            return None
        for value in values:
            if not self._is_bare_word(value, scope):
                with self.ctx.quietly():
                    found = self.expr(value, scope.child())
                if not is_broken(found) and found.type.shape in ("word", "thing"):
                    return found.type
        return None

    def lower_value_table(
        self, builder: DefinitionBuilder, node: nodes.TableDecl, scope: Scope
    ) -> None:
        """Lower a table of values to a definition that looks its rows up."""
        keys, rows = self.row_keys(node, builder.params)
        values: list[ir.Expr] = []
        want: Type | None = None
        written = [row for row in self.rows_of(node) if row.value is not None]
        want = self.wanted([row.value for row in written if row.value is not None], scope)
        for row in written:
            assert row.value is not None
            value = self.expr(row.value, scope, want)
            values.append(value)
            builder.cites = (*builder.cites, *self.ctx.cites(row))
        types = [value.type for value in values if not is_broken(value)]
        joined = ruletypes.join_all(types)
        if joined is None:
            if types:
                self.ctx.error(
                    "wrong-arguments",
                    node,
                    f"the rows of `{node.name.text}` have no type in common",
                )
            return
        if joined.shape == "number" and node.name.text in self.changed_elsewhere:
            joined = ir.Type("number", optional=joined.optional)
        builder.result = joined
        if keys:
            pairs = tuple(
                (key, evolve(values[number], span=self.ctx.span(written[number])))
                for key, number in rows
                if not is_broken(values[number])
            )
            builder.general = ir.Switch(keys, pairs, type=joined)

    # --------------------------------------------------------------------------------------- tables

    def row_keys(
        self, node: nodes.TableDecl, params: Sequence[ir.Param]
    ) -> tuple[tuple[ir.Expr, ...], list[tuple[tuple[frozenset[object] | None, ...], int]]]:
        """Lower the keys of a table: what is looked up, and for each row (by number) the values it
        stands for.

        Every combination must be covered exactly once; gaps and overlaps are reported. A row of a change takes
        the place of earlier ones for its keys.
        """
        written = self.rows_of(node)
        width = max((len(key.parts) for row in written for key in row.keys), default=0)
        looked = params[: max(width, 1)]
        if not looked or any(is_broken(param.type) for param in looked):
            return (), []
        keys = tuple(ir.Local(param.name, type=param.type) for param in looked)
        rows: list[tuple[tuple[frozenset[object] | None, ...], int]] = []
        seen: dict[tuple[object, ...], int] = {}
        rest: int | None = None
        whole = self._all_keys(looked)
        changes = self.table_changes.get(node.name.text, ())
        layers = [0] * len(node.rows)
        for layer, change in enumerate(changes, 1):
            layers += [layer] * len(change.rows)
        for number, row in enumerate(written):
            for key in row.keys:
                if key.is_else:
                    rest = number
                    continue
                if len(key.parts) != len(looked):
                    self.ctx.error("incomplete-table", key, f"{len(looked)} keys are needed here")
                    continue
                values = [
                    self._key_values(part, param.type)
                    for part, param in zip(key.parts, looked, strict=True)
                ]
                if any(value is None for value in values):
                    continue
                found = [value for value in values if value is not None]
                rows.append((tuple(found), number))
                self._note_keys(node, (number, key), found, seen, layers)
        if changes:  # a row may have lost some of its keys
            rows = [
                (tuple(frozenset((value,)) for value in combination), number)
                for combination, number in seen.items()
            ]
        if rest is not None:
            if whole is not None:
                left = [combination for combination in whole if combination not in seen]
                rows += [
                    (tuple(frozenset((value,)) for value in combination), rest)
                    for combination in left
                ]
                if not left:
                    self.ctx.warning("dead-rule", written[rest], "nothing is left for `else`")
            else:
                rows.append(((None,) * len(looked), rest))
        elif whole is not None:
            missing = [combination for combination in whole if combination not in seen]
            if missing:
                shown = ", ".join(
                    self._shown_key(combination, looked) for combination in missing[:6]
                )
                more = f" and {len(missing) - 6} more" if len(missing) > 6 else ""
                self.ctx.error(
                    "incomplete-table",
                    node.name,
                    f"`{node.name.text}` has no row for {shown}{more}",
                    advice="add the rows, or an `else` row",
                )
        elif looked:
            self.ctx.error(
                "incomplete-table",
                node.name,
                f"`{node.name.text}` cannot cover all of {self.ctx.say(looked[0].type)}",
                advice="add an `else` row",
            )
        return keys, rows

    def _note_keys(
        self,
        node: nodes.TableDecl,
        at: tuple[int, nodes.RowKey],
        values: Sequence[frozenset[object]],
        seen: dict[tuple[object, ...], int],
        layers: Sequence[int],
    ) -> None:
        """Note for each combination which row counts; two rows of one text may not say it both."""
        number, key = at
        combinations: list[tuple[object, ...]] = [()]
        for value in values:
            combinations = [
                (*head, item) for head in combinations for item in sorted(value, key=repr)
            ]
        for combination in combinations:
            first = seen.get(combination, number)
            seen[combination] = number
            if first != number and layers[first] == layers[number]:
                self.ctx.error(
                    "incomplete-table",
                    key,
                    f"`{node.name.text}` has two rows for the same key",
                    secondary=(self.label(self.rows_of(node)[first].span, "the other row"),),
                )
                return

    def _all_keys(self, params: Sequence[ir.Param]) -> list[tuple[object, ...]] | None:
        combinations: list[tuple[object, ...]] = [()]
        for param in params:
            values = self._domain(param.type)
            if values is None or len(combinations) * len(values) > 10_000:
                return None
            combinations = [(*head, value) for head in combinations for value in values]
        return combinations

    def domain_of(self, kind: Type) -> tuple[tuple[int, int], ...]:
        """Give the things that a table that looks up one of a type has rows for: the first and the number, by kind."""
        kinds = [self.ctx.tables.kinds[number] for number in kind.kinds]
        return tuple((found.base, found.count) for found in kinds)

    def _domain(self, kind: Type) -> list[object] | None:
        match kind.shape:
            case "flag":
                return [False, True]
            case "word":
                return list(range(len(self.ctx.enum(kind.enum).words)))
            case "number" if kind.lo is not None and kind.hi is not None:
                return list(range(kind.lo, kind.hi + 1))
            case "thing":
                kinds = [self.ctx.tables.kinds[number] for number in kind.kinds]
                return [
                    thing
                    for found in kinds
                    for thing in range(found.base, found.base + found.count)
                ]
            case _:
                return None

    def _shown_key(self, combination: tuple[object, ...], params: Sequence[ir.Param]) -> str:
        parts = []
        for value, param in zip(combination, params, strict=True):
            if param.type.shape == "word":
                parts.append(self.ctx.tables.enums[param.type.enum].words[int(str(value))])
            elif param.type.shape == "thing":
                parts.append(self.thing_name(int(str(value))))
            elif param.type.shape == "flag":
                parts.append("yes" if value else "no")
            else:
                parts.append(str(value))
        return "`" + ", ".join(parts) + "`"

    def thing_name(self, thing: int) -> str:
        """Give the id of a thing."""
        for kind in self.ctx.tables.kinds:
            if kind.base <= thing < kind.base + kind.count:
                return kind.ids[thing - kind.base]
        return str(thing)

    def _key_values(self, part: nodes.Expr, kind: Type) -> frozenset[object] | None:
        lowered = self.expr(part, Scope(Function()), kind)
        if is_broken(lowered):
            return None
        if not isinstance(lowered, ir.Const):
            self.ctx.error("incomplete-table", part, "a key must be a constant")
            return None
        values = lowered.value if isinstance(lowered.value, tuple) else (lowered.value,)
        found = lowered.type.elem if isinstance(lowered.value, tuple) else lowered.type
        if found is not None and not ruletypes.fits(found, kind):
            self.ctx.error(
                "incomplete-table",
                part,
                f"this is no {self.ctx.say(kind)}",
                label="the table looks up one",
            )
            return None
        domain = self._domain(kind)
        if domain is not None and any(value not in domain for value in values):
            self.ctx.error(
                "incomplete-table",
                part,
                f"`{part.span.text}` is outside {self.ctx.say(kind)}"
                if kind.shape == "number"
                else f"there is no such {self.ctx.say(kind)}",
                label="it can never be looked up",
            )
            return None
        return frozenset(values)
