import { capitalise, orWords } from "../../../../src/contract/words.ts";
import { SEVERITY_WORDS, SOURCE_WORDS, type AlertSource, type Severity } from "../../format/alert-words.ts";

interface Filters {
  severities: readonly Severity[];
  sources: readonly AlertSource[];
  /** As they are called. */
  entities: readonly string[];
  tags: readonly string[];
}

/** Which alerts are meant, as a phrase: `Critical alerts of endpoints about shop-db, tagged night`; without filters `Every alert`. */
export function alertsWords({ severities, sources, entities, tags }: Filters): string {
  if (severities.length + sources.length + entities.length + tags.length === 0) return "Every alert";
  const which = orWords(severities.map((severity) => SEVERITY_WORDS[severity].word.toLowerCase()));
  const parts = [
    which === "" ? "Alerts" : `${capitalise(which)} alerts`,
    ...(sources.length === 0 ? [] : [`from ${orWords(sources.map((source) => SOURCE_WORDS[source].toLowerCase()))}`]),
    ...(entities.length === 0 ? [] : [`about ${orWords(entities)}`]),
  ];
  return `${parts.join(" ")}${tags.length === 0 ? "" : `, tagged ${orWords(tags)}`}`;
}
