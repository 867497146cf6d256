"""A small game with all that a table shows: a map, hands, a deck, counters, secret bids, cards face down."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

RULES = """\
# Peddlers sail between towns and bid for the right to begin.

game lagoon "The Lagoon":
    version "1"
    players 2..3
    citations "rules.csv"

define Colour = red, blue, green
define Deed = sail, stay

component Player:
    town: Town = mill
    coins: 0.. = 0                      # what counts in the end
    hand: pile of Card, seen by owner
    bid: 0..2 = 0

component Town from "towns.csv" [LAG-1]:
    x, y: 0..
    colour: Colour
    grain: 0.. = 0

component Ferry from "ferries.csv":
    a, b: Town

component Card from "cards.csv" [LAG-2]:
    worth: 1..3

component Stone (4):
    weight: 1..2 = each (1, 1, 2, 2)
    place: Town or none = none
    face_up: Flag = yes

component Barrel (2 each Player):
    place: Town or none = none

component Board (1):
    deck: pile of Card = Card, hidden
    bag: pile of Stone = Stone, hidden

phase game:
    do shuffle(board.deck)
    do shuffle(board.bag)
    each town in Town:
        town gains 1 grain
        do lay(town)
    each player in Player:
        each i in 1..2: move top(board.deck) to player.hand
    each n in 1..2: do round(n)
    do win(Player with highest coins)

effect lay(town):
    let stone = top(board.bag)
    stone.face_up becomes no
    move stone to town

phase round(n: 1..2) [LAG-3]:
    do bidding
    each player in Player: do turn(player)

phase bidding [LAG-4]:
    # Everybody hides coins in a fist.
    secretly each player in Player chooses bid from 0..2 "How much do you bid?" automa highest it:
        player.bid becomes bid
    each player in Player: player gains player.bid coins

phase turn(player):
    # Whoever sails shows a card of the hand; whoever stays earns a coin.
    player may do sail, stay else end turn

may sail(player, town) [LAG-5]:
    away: player.town is not town "you are there already" [LAG-5]
    automa town.x
    then:
        player.town becomes town
        player chooses card from player.hand "Which card do you show?" automa lowest worth else end sail
        player gains card.worth coins
        move card to bottom(board.deck)
may stay(player):
    automa 1
    then:
        player gains 1 coins
"""

FILES = {
    "lagoon.rules": RULES,
    "towns.csv": "id,name,x,y,colour\nmill,The Mill,10,10,red\nport,Old Port,60,10,blue\n"
    "salt,Salt Pans,30,50,green\n",
    "ferries.csv": "a,b\nmill,port\nport,salt\n",
    "cards.csv": "id,name,worth\nfish,Fish,1\nsilk,Silk,2\ngold,Gold,3\nrice,Rice,1\ntea,Tea,2\nwool,Wool,1\n"
    "salt_card,Salt,1\n",
    "rules.csv": 'id,text\nLAG-1,"Towns lie around the lagoon."\nLAG-2,"Cards are worth coins."\n'
    'LAG-3,"A game has two rounds."\nLAG-4,"Bids are made in secret."\nLAG-5,"Who sails shows a card."\n',
}


def written(folder: Path, **more: str) -> str:
    """Write the game into a folder; gives its path. Further files by name, `_` for the dot."""
    for name, text in {
        **FILES,
        **{key.replace("__", "."): text for key, text in more.items()},
    }.items():
        (folder / name).write_text(text, "utf-8")
    return str(folder)
