"""Parses metrics from stdin with Prometheus' own parser, and prints each family as JSON."""

import json
import sys

from prometheus_client.parser import text_string_to_metric_families

for family in text_string_to_metric_families(sys.stdin.read()):
    samples = [[sample.name, sample.labels, sample.value] for sample in family.samples]
    print(json.dumps({"name": family.name, "type": family.type, "help": family.documentation, "samples": samples}))
