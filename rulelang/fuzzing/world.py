"""What there is in a random game: types, enumerations and components."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from attrs import Factory, define, evolve, frozen

if TYPE_CHECKING:
    from rulelang.fuzzing.dice import Dice

Shape = Literal["num", "flag", "word", "thing", "set", "list", "bag"]


@frozen
class T:
    """The type of an expression, as far as the generator needs to know it.

    Attributes:
        shape: What it is.
        of: The kinds of a thing, or the enumeration of a word or bag.
        elem: Of a set or list.
        optional: Whether it may be none.
        low: Lower bound of a number.
        high: Upper bound of a number.
    """

    shape: Shape
    of: tuple[str, ...] = ()
    elem: T | None = None
    optional: bool = False
    low: int | None = None
    high: int | None = None

    @property
    def member(self) -> T:
        """The type of a member of a set or list."""
        return self if self.elem is None else self.elem


NUM = T("num")
COUNT = T("num", low=0)
FLAG = T("flag")


def thing(*kinds: str, optional: bool = False) -> T:
    """The type of things of these kinds."""
    return T("thing", of=kinds, optional=optional)


def word(enum: str) -> T:
    """The type of the words of an enumeration."""
    return T("word", of=(enum,))


def set_of(elem: T) -> T:
    """The type of a set."""
    return T("set", elem=elem)


def list_of(elem: T) -> T:
    """The type of a list."""
    return T("list", elem=elem)


def bag_of(enum: str) -> T:
    """The type of a bag of words."""
    return T("bag", of=(enum,))


def required(of: T) -> T:
    """The type without none."""
    return evolve(of, optional=False)


@frozen
class Field:
    """A field of a component.

    Attributes:
        name: Its name.
        type: Of one value.
        key: The enumeration that keys it, or empty.
        pile: Whether it is a pile.
        secret: Whether somebody does not see it.
        order: Rules about changes of a field change fields of a higher order only, so that they end.
    """

    name: str
    type: T
    key: str = ""
    pile: bool = False
    secret: bool = False
    fixed: bool = False
    order: int = 0


@define(eq=False)
class Kind:
    """A kind of component, with its declaration."""

    name: str
    count: int
    fields: list[Field] = Factory(list)
    places: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    single: str = ""
    owned: bool = False
    lines: list[str] = Factory(list)

    @property
    def var(self) -> str:
        """The name in lower case that says this kind."""
        return self.name.lower()


@define(eq=False)
class World:
    """All declarations that other text may lean on."""

    enums: dict[str, tuple[str, ...]] = Factory(dict)
    dice: dict[str, int] = Factory(dict)
    kinds: dict[str, Kind] = Factory(dict)
    unions: dict[str, tuple[str, ...]] = Factory(dict)
    files: dict[str, str] = Factory(dict)
    options: list[tuple[str, T]] = Factory(list)
    lines: list[str] = Factory(list)
    automas: bool = False
    seats: int = 2
    acting: tuple[str, ...] = ()
    acts: str = ""
    map_name: str = ""

    def holders(self, name: str) -> list[str]:
        """The kinds with a field of this name."""
        return [
            kind.name for kind in self.kinds.values() if any(f.name == name for f in kind.fields)
        ]

    def field(self, kind: str, name: str) -> Field:
        """A field by name."""
        return next(field for field in self.kinds[kind].fields if field.name == name)


_HUES = ("red", "blue", "green", "white")
_MOODS = ("calm", "brisk", "stern")
_GOODS = ("wood", "clay", "iron", "wool")
_CARDS = ("ash", "birch", "cedar", "elm", "fir", "hazel")
_ROWS = ("north", "south", "east", "west")


def make_world(dice: Dice) -> World:
    """Draw the components of a game."""
    world = World()
    world.automas = dice.chance(60)
    world.seats = dice.between(2, 3)
    world.enums["Hue"] = _HUES[: dice.between(2, 4)]
    world.enums["Mood"] = _MOODS[: dice.between(2, 3)]
    world.enums["Good"] = _GOODS[: dice.between(2, 4)]
    world.dice["D4"] = 4
    if dice.chance(50):
        world.dice["D6"] = 6
    world.unions["Spot"] = ("Site", "Zone")
    world.lines += [f"define {name} = {', '.join(words)}" for name, words in world.enums.items()]
    world.lines += [f"define {name} = 1..{faces}" for name, faces in world.dice.items()]
    world.lines.append("define Spot = Site, Zone")
    _options(world, dice)
    _kinds(world, dice)
    for kind in world.kinds.values():
        world.lines += ["", *kind.lines]
    return world


def _options(world: World, dice: Dice) -> None:
    if dice.chance(60):
        world.options.append(("stint", T("num", low=1, high=5)))
        world.lines.append(f"option stint: 1..5 = {dice.between(1, 5)}")
    if dice.chance(40):
        world.options.append(("lenient", FLAG))
        world.lines.append(f"option lenient: Flag = {dice.pick(('yes', 'no'))}")
    if dice.chance(40):
        world.options.append(("tone", word("Mood")))
        world.lines.append(f"option tone: Mood = {dice.pick(world.enums['Mood'])}")


class _Maker:
    """Collects the fields of one kind."""

    orders = 0

    def __init__(self, world: World, kind: Kind, head: str) -> None:
        self.world = world
        self.kind = kind
        kind.lines.append(head)
        world.kinds[kind.name] = kind

    def add(self, name: str, of: T, text: str, **more: bool | str) -> None:
        """Add a field: its name, type, and all that is written after the name."""
        orders = {"gold": 1, "rank": 2, "score": 3, "value": 4, "stamp": 5}
        order = orders.get(name, 9)
        self.kind.fields.append(Field(name, of, order=order, **more))  # type: ignore[arg-type]
        self.kind.lines.append(f"    {name}: {text}")


def _kinds(world: World, dice: Dice) -> None:
    hue, mood = world.enums["Hue"], world.enums["Mood"]
    places = dice.pick((("Site",), ("Site", "Zone"), ("Site", "Zone", "Player")))
    site = _Maker(world, Kind("Site", dice.between(2, 4)), "")
    rows = _ROWS[: site.kind.count]
    named = dice.chance(60)
    if named:
        site.kind.ids = rows
        lines = ["id,name,hue,rank"]
        lines += [f"{row},The {row},{dice.pick(hue)},{dice.below(5)}" for row in rows]
        world.files["sites.csv"] = "\n".join(lines) + "\n"
        site.kind.lines[0] = 'component Site from "sites.csv":'
        site.add("hue", word("Hue"), "Hue")
        site.add("rank", T("num", low=0, high=5), "0..5")
    else:
        site.kind.lines[0] = f"component Site ({site.kind.count}):"
        site.add("hue", word("Hue"), f"Hue = {dice.pick(hue)}")
        site.add("rank", T("num", low=0, high=5), f"0..5 = {dice.below(5)}")
    site.add("gold", COUNT, f"0.. = {dice.below(4)}")
    site.add("open", FLAG, f"Flag = {dice.pick(('yes', 'no'))}")
    site.add("guard", thing("Token", optional=True), "Token or none = none")
    if dice.chance(50):
        site.add("near", set_of(thing("Zone")), "set of Zone = {}")

    zone = _Maker(world, Kind("Zone", dice.between(1, 3)), "")
    zone.kind.lines[0] = f"component Zone ({zone.kind.count}):"
    zone.add("gold", T("num", low=0, high=6), f"0..6 = {dice.below(4)}")
    zone.add("hue", word("Hue"), f"Hue = {dice.pick(hue)}")
    zone.add("stamp", NUM, "Number = 0")

    token = _Maker(world, Kind("Token", dice.between(3, 6), places=places), "")
    token.kind.lines[0] = f"component Token ({token.kind.count}):"
    token.kind.lines.append(f"    place: {' or '.join(places)} or none = none")
    values = ", ".join(str(dice.between(1, 3)) for _ in range(token.kind.count))
    token.add("value", T("num", low=0, high=9), f"0..9 = each ({values})")
    token.add("used", FLAG, "Flag = no")
    if dice.chance(50):
        token.add("hue", word("Hue"), f"Hue = {dice.pick(hue)}")
    if dice.chance(30):
        token.add("face_up", FLAG, "Flag = yes", secret=True, fixed=True)

    unit = _Maker(world, Kind("Unit", 2 * world.seats, places=("Site", "Zone"), owned=True), "")
    unit.kind.lines[0] = f"component Unit ({dice.between(1, 3)} each Player):"
    unit.kind.lines.append("    place: Site or Zone or none = none")
    unit.kind.fields.append(Field("owner", thing("Player"), fixed=True))
    unit.add("value", T("num", low=0, high=4), "0..4 = 1")
    unit.add("target", thing("Site", "Zone", optional=True), "Site or Zone or none = none")

    _cards(world, dice)
    board = _Maker(world, Kind("Board", 1, single="board"), "component Board (1):")
    hidden = dice.chance(50)
    board.add(
        "deck",
        list_of(thing("Card")),
        f"pile of Card = Card{', hidden' if hidden else ''}",
        pile=True,
        secret=hidden,
    )
    world.acts = dice.pick(("pile", "pile", "left", "field", "board", ""))
    acts = ", acts" if world.acts == "board" else ""
    board.add("heap", list_of(thing("Card")), f"pile of Card{acts}", pile=True)
    if dice.chance(40):
        board.add("pit", list_of(thing("Token")), "pile of Token", pile=True)
    board.add("score", T("num", low=0, high=20), "0..20 = 3")
    if dice.chance(50):
        board.add("store", bag_of("Good"), "bag of Good = {wood, wood, clay}")

    player = _Maker(world, Kind("Player", world.seats), "component Player:")
    player.kind.fields += [
        Field("left", thing("Player"), fixed=True),
        Field("right", thing("Player"), fixed=True),
        Field("seat", T("num", low=1, high=world.seats), fixed=True),
        Field("automa", FLAG, fixed=True),
    ]
    player.add("gold", COUNT, f"0.. = {dice.below(6)}")
    player.add("score", T("num", low=0, high=10), "0..10 = 0")
    player.add("mood", word("Mood"), f"Mood = {dice.pick(mood)}")
    player.add("ready", FLAG, "Flag = yes")
    player.add("pet", thing("Token", optional=True), "Token or none = none")
    player.add(
        "hand", list_of(thing("Card")), "pile of Card, seen by owner", pile=True, secret=True
    )
    player.add("stock", bag_of("Good"), "bag of Good = {clay}")
    player.add("slot", COUNT, f"0.. by {dice.pick(('Mood', 'D4'))} = 1", key="")
    slot = player.kind.fields[-1]
    player.kind.fields[-1] = evolve(slot, key=player.kind.lines[-1].split(" by ")[1].split()[0])
    if dice.chance(50):
        player.add("seen", set_of(thing("Token")), "set of Token = {}")
    if dice.chance(30):
        player.add("queue", list_of(word("Hue")), "list of Hue = {}")
    if world.acts in ("pile", "left"):
        by = " by left" if world.acts == "left" else ""
        player.add("lot", list_of(thing("Card")), f"pile of Card, acts{by}", pile=True)
    elif world.acts == "field":
        player.add("charm", thing("Card", optional=True), "Card or none = none, acts")


def _cards(world: World, dice: Dice) -> None:
    count = dice.between(4, 6)
    card = _Maker(
        world, Kind("Card", count, ids=_CARDS[:count]), 'component Card from "cards.csv":'
    )
    lines = ["id,name,value,hue"]
    lines.extend(
        f"{name},A {name},{dice.below(5)},{dice.pick(world.enums['Hue'])}"
        for name in _CARDS[:count]
    )
    world.files["cards.csv"] = "\n".join(lines) + "\n"
    card.add("value", T("num", low=0, high=9), "0..9")
    card.add("hue", word("Hue"), "Hue")
    world.acting = tuple(dice.some(card.kind.ids, dice.between(1, 3)))
