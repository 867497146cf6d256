"""The smallest game that variants can change."""

from __future__ import annotations

GAME = """
game stall "Stall":
    version "1"
    players 1..4
component Player:
    coins: 0.. = 0
phase game:
    each player in Player: do earn(player)
effect earn(player): player gains 1 coins
"""
