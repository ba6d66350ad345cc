package main.grammar;

public record Description(String text) { }
