"""Drawings of a ruleset: the course of the game with the rules that act on it, and the map; as SVG and as Mermaid."""
