package main.options;

import java.util.List;

public record UserSelections(List<String> options) { }
