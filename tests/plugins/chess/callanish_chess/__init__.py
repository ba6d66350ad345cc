"""Chess for the arena, by the package `chess`. Under the GPL, version 3 or later, as that package is."""
