"""What values are called: keys for logs, scripts and saves, titles for people."""

from __future__ import annotations

from rulelang import ir


class Naming:
    """Names of the values of a Program."""

    def __init__(self, program: ir.Program) -> None:
        self._program = program
        self._kinds = tuple(kind for kind in program.kinds for _ in range(kind.count))

    def thing_key(self, thing: int) -> str:
        """The id of a thing, as rules write it."""
        kind = self._kinds[thing]
        return kind.ids[thing - kind.base]

    def thing_title(self, thing: int) -> str:
        """The name of a thing for people."""
        kind = self._kinds[thing]
        return kind.titles[thing - kind.base] or kind.ids[thing - kind.base]

    def key(self, value: object, of: ir.Type) -> str:
        """A value as rules write it."""
        return self._name(value, of, title=False)

    def title(self, value: object, of: ir.Type) -> str:
        """A value as people read it."""
        return self._name(value, of, title=True)

    def _name(self, value: object, of: ir.Type, *, title: bool) -> str:
        match value:
            case None:
                return "none"
            case bool():
                return "yes" if value else "no"
            case str():
                return value
            case tuple() if of.shape == "bag":
                words = self._program.enums[of.enum].words
                held = zip(words, value, strict=True)
                return " + ".join(f"{count} {word}" for word, count in held if count) or "nothing"
            case tuple():
                inner = of.elem or ir.NUMBER
                return ", ".join(self._name(each, inner, title=title) for each in value) or "none"
            case int() if of.shape == "thing":
                return self.thing_title(value) if title else self.thing_key(value)
            case int() if of.shape == "word":
                enum = self._program.enums[of.enum]
                return str(value) if enum.numeric else enum.words[value]
        return str(value)
