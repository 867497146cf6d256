"""The engine: checked programs in, games out.

These names are the public face; they are imported when they are first used, so that a command which needs one of them
loads no more than that. Everything else may change.

    Match, play       one game, driven step by step or played to its end
    Outcome           how a game ended
    Decision, Option  what is asked, and what may be answered
    Observation       what one seat sees
    DecisionProvider  whoever answers; LATER is the answer of one that will answer later
    Replay, Recorder, dumps, loads, verify
                      games on record
    *Provider         providers that come with the engine
    Search, SearchSettings, advise, Advice
                      who looks ahead, by what a seat sees
    EngineError       the family of everything that can go wrong
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from interpreter.decision import Decision, Option
    from interpreter.errors import (
        EngineError,
        IllegalChoice,
        OptionError,
        ReplayError,
        RuleFault,
        SaveError,
    )
    from interpreter.machine import LATER, Match, Outcome, play
    from interpreter.providers.automa import AutomaProvider
    from interpreter.providers.human import HumanProvider
    from interpreter.providers.protocol import DecisionProvider
    from interpreter.providers.random import RandomProvider
    from interpreter.providers.replay import ReplayProvider
    from interpreter.providers.scripted import ScriptedProvider
    from interpreter.providers.search import SearchProvider
    from interpreter.records.replay import Recorder, Replay, dumps, loads, verify
    from interpreter.search.advice import Advice
    from interpreter.search.advising import advise
    from interpreter.search.searching import Search
    from interpreter.search.settings import SearchSettings
    from interpreter.sight.observation import Observation

_PLACES = {
    "Decision": "decision",
    "Option": "decision",
    "EngineError": "errors",
    "IllegalChoice": "errors",
    "OptionError": "errors",
    "ReplayError": "errors",
    "RuleFault": "errors",
    "SaveError": "errors",
    "LATER": "machine",
    "Match": "machine",
    "Outcome": "machine",
    "play": "machine",
    "Observation": "sight.observation",
    "AutomaProvider": "providers.automa",
    "HumanProvider": "providers.human",
    "DecisionProvider": "providers.protocol",
    "RandomProvider": "providers.random",
    "ReplayProvider": "providers.replay",
    "ScriptedProvider": "providers.scripted",
    "SearchProvider": "providers.search",
    "Recorder": "records.replay",
    "Replay": "records.replay",
    "dumps": "records.replay",
    "loads": "records.replay",
    "verify": "records.replay",
    "advise": "search.advising",
    "Advice": "search.advice",
    "Search": "search.searching",
    "SearchSettings": "search.settings",
}

__all__ = [
    "LATER",
    "Advice",
    "AutomaProvider",
    "Decision",
    "DecisionProvider",
    "EngineError",
    "HumanProvider",
    "IllegalChoice",
    "Match",
    "Observation",
    "Option",
    "OptionError",
    "Outcome",
    "RandomProvider",
    "Recorder",
    "Replay",
    "ReplayError",
    "ReplayProvider",
    "RuleFault",
    "SaveError",
    "ScriptedProvider",
    "Search",
    "SearchProvider",
    "SearchSettings",
    "advise",
    "dumps",
    "loads",
    "play",
    "verify",
]


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    place = _PLACES.get(name)
    if place is None:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    found: object = getattr(import_module(f"{__name__}.{place}"), name)
    globals()[name] = found
    return found
