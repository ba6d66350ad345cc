"""Commands about rules, positions and engines that follow them."""
