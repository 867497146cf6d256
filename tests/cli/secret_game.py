"""A small game with what a seat may not see: a deck, hands, cards face down, a secret number, sealed bids."""

from __future__ import annotations

SECRETS = """\
game cellar "Cellar":
    version "1.0"
    players 2

component Board (1):
    deck: pile of Card = Card, hidden
component Card (9):
    rank: 41..49 = each 41..49
    face_up: Flag = yes
    place: Player or none = none
component Player:
    hand: pile of Card, seen by owner
    wish: 0..9 = 0, seen by owner
    points: 0.. = 0

phase game:
    step deal:
        do shuffle(board.deck)
        each player in Player:
            move top(board.deck, 3) to player.hand
        each player in Player:
            player.wish becomes 3 + player.seat
    step lay:
        each player in Player:
            if any player.hand:
                let card = top(player.hand)
                card.face_up becomes no
                move card to player
    step bids:
        secretly each player in Player chooses bid from 0..9 "How much?" automa random:
            player gains bid points
    step last:
        each player in Player:
            player chooses done from 0..1 "Done?" automa random
    do win(Player with highest points)
"""
