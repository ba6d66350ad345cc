package main.grammar;

public final class Report { }
