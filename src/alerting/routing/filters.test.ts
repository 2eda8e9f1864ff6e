import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { toListItem } from "../../contract/scope.ts";
import { anAlert } from "../../../test/support/routing.ts";
import { fc } from "../../../test/support/seed.ts";
import { type Alert, ALERT_SOURCES, SEVERITIES } from "../vocabulary.ts";
import { subjectsOf } from "../scope.ts";
import { type FilterTexts, filterTexts, NO_FILTERS, passes, readFilters, savedFilters } from "./filters.ts";

const agent = "1f0e3dad-9990-4f4b-8d5a-0123456789ab";
const about = (alert: Alert) => subjectsOf(alert, (id) => (id === 42 ? "shop, 100% eu" : undefined));

describe("the filters of a trigger", () => {
  const alert = anAlert({ tags: ["Shop", "db"] });
  const cases: [texts: FilterTexts, alert: Alert, passed: boolean][] = [
    [{}, alert, true],
    [{ filter_severities: "", filter_sources: " ", filter_entities: ",", filter_tags: " , " }, alert, true],
    [{ filter_severities: "warning" }, alert, true],
    [{ filter_severities: "critical" }, alert, false],
    [{ filter_severities: "critical, Warning" }, alert, true],
    [{ filter_sources: "endpoint,container" }, alert, true],
    [{ filter_sources: "endpoint" }, alert, false],
    [{ filter_entities: "container:42" }, alert, true],
    [{ filter_entities: "container:4,endpoint:42" }, alert, false],
    [{ filter_entities: "Container: 42" }, alert, true],
    [{ filter_entities: "agent:local" }, alert, true],
    [{ filter_entities: "agent:local" }, anAlert({ agentId: agent }), false],
    [{ filter_entities: `endpoint:1,Agent: ${agent.toUpperCase()}` }, anAlert({ agentId: agent }), true],
    [{ filter_entities: "group:shop%2c 100%25 eu" }, alert, true],
    [{ filter_entities: "group:shop%2C 100% eu" }, alert, true],
    [{ filter_entities: "group:shop" }, alert, false],
    [{ filter_tags: "shop" }, alert, true],
    [{ filter_tags: "SHOP" }, alert, true],
    [{ filter_tags: "sho" }, alert, false],
    [{ filter_tags: "web,db" }, alert, true],
    [{ filter_tags: "db" }, anAlert(), false],
    [{ filter_severities: "warning", filter_sources: "container", filter_entities: "container:42", filter_tags: "db" }, alert, true],
    [{ filter_severities: "warning", filter_sources: "container", filter_entities: "container:42", filter_tags: "web" }, alert, false],
    [{ filter_severities: "critical", filter_tags: "db" }, alert, false],
  ];
  for (const [texts, given, passed] of cases) {
    it(`${JSON.stringify(texts)} ${passed ? "take" : "leave"} the alert`, () => {
      const { filters, faults } = readFilters(texts, NO_FILTERS);
      assert.deepEqual(faults, []);
      assert.equal(passes(filters, given, about(given)), passed);
    });
  }

  const refused: [texts: FilterTexts, faults: [path: string, sentence: RegExp][]][] = [
    [{ filter_severities: "bad" }, [["filter_severities", /"bad" is not a severity: critical, warning, info/]]],
    [
      { filter_sources: "containers,disk" },
      [
        ["filter_sources", /"containers" is not a source/],
        ["filter_sources", /"disk"/],
      ],
    ],
    [{ filter_entities: "42" }, [["filter_entities", /"42" is not a kind and an id, such as container:42/]]],
    [{ filter_entities: "container:" }, [["filter_entities", /"container:"/]]],
    [{ filter_entities: ":42" }, [["filter_entities", /":42"/]]],
    [{ filter_entities: "agent:web-1" }, [["filter_entities", /"agent:web-1": Must be `local` or the UUID of an agent/]]],
    [{ filter_entities: "../x:42" }, [["filter_entities", /"\.\.\/x:42"/]]],
    [{ filter_tags: "x".repeat(65) }, [["filter_tags", /^"x{59}…" is longer than 64/]]],
    [{ filter_tags: Array.from({ length: 51 }, (_, index) => index).join(",") }, [["filter_tags", /at most 50/]]],
    [
      { filter_severities: "worst", filter_sources: "any" },
      [
        ["filter_severities", /"worst"/],
        ["filter_sources", /"any"/],
      ],
    ],
  ];
  for (const [texts, expected] of refused) {
    it(`${JSON.stringify(texts).slice(0, 60)} are refused in words`, () => {
      const { faults } = readFilters(texts, NO_FILTERS);
      assert.equal(faults.length, expected.length);
      for (const [index, [path, sentence]] of expected.entries()) {
        assert.equal(faults[index]?.path, path);
        assert.match(faults[index]?.message ?? "", sentence);
      }
    });
  }

  it("keep what a change leaves out", () => {
    const { filters: before } = readFilters({ filter_severities: "critical", filter_tags: "db" }, NO_FILTERS);
    const { filters } = readFilters({ filter_tags: "" }, before);
    assert.deepEqual(filterTexts(filters), { filter_severities: "critical", filter_sources: "", filter_entities: "", filter_tags: "" });
  });

  it("that were saved by a newer program match nothing rather than anything", () => {
    const saved = savedFilters({ filter_severities: "", filter_sources: "comet", filter_entities: "", filter_tags: "" });
    assert.equal(passes(saved, alert, about(alert)), false);
  });

  const anyTexts: fc.Arbitrary<FilterTexts> = fc.record(
    { filter_severities: fc.string(), filter_sources: fc.string(), filter_entities: fc.string(), filter_tags: fc.string() },
    { requiredKeys: [] },
  );
  const list = (items: fc.Arbitrary<string>): fc.Arbitrary<string> => fc.array(items, { maxLength: 4 }).map((some) => some.join(" , "));
  const goodTexts = fc.record({
    filter_severities: list(fc.constantFrom(...SEVERITIES)),
    filter_sources: list(fc.constantFrom(...ALERT_SOURCES)),
    filter_entities: list(
      fc.oneof(
        fc.nat(50).map((id) => `container:${id}`),
        fc.constant("agent:local"),
        fc.string().map((name) => toListItem(`group:${name}`)),
      ),
    ),
    filter_tags: list(fc.constantFrom("db", "Shop", "web", "ops")),
  });

  it("are the same however they were spelt, saved and read", () => {
    fc.assert(
      fc.property(fc.oneof(anyTexts, goodTexts), (texts) => {
        const { filters, faults } = readFilters(texts, NO_FILTERS);
        if (faults.length > 0) return;
        const written = filterTexts(filters);
        assert.deepEqual(readFilters(written, NO_FILTERS), { filters, faults: [] });
        assert.deepEqual(savedFilters(written), filters);
      }),
    );
  });

  it("take fewer alerts with another kind, and more with another name of a kind", () => {
    fc.assert(
      fc.property(goodTexts, fc.constantFrom(...SEVERITIES), fc.constantFrom(...ALERT_SOURCES), (texts, severity, source) => {
        const given = anAlert({ severity, source, tags: ["db"] });
        const { filters } = readFilters(texts, NO_FILTERS);
        if (passes(filters, given, about(given))) {
          assert.ok(passes({ ...filters, tags: [] }, given, about(given)));
          assert.ok(
            passes({ ...filters, severities: filters.severities.length === 0 ? [] : [...filters.severities, "info"] }, given, about(given)),
          );
        }
        const kinds = [filters.severities, filters.sources, filters.entities, filters.tags];
        const each = (["severities", "sources", "entities", "tags"] as const).every((kind) =>
          passes({ ...NO_FILTERS, [kind]: filters[kind] }, given, about(given)),
        );
        assert.equal(passes(filters, given, about(given)), each, JSON.stringify(kinds));
      }),
    );
  });
});
