import { SCOPES } from "../../../src/contract/scope.ts";
import { PRESETS, type Preset } from "../entities/silences/periods.ts";
import type { Option } from "../ui/forms/many-picker.tsx";
import { bestMatches } from "./rank.ts";

/** What is to be done, and with what: `silence shop`, `silence shop 8h`, `log web`. */
export interface TypedCommand {
  verb: "silence" | "log";
  name: string;
}

/** So many of what the name may mean are offered. */
export const OFFERED = 5;

/** The command that a query is; undefined when it only names something. */
export function typedCommand(query: string): TypedCommand | undefined {
  const [, verb, name] = /^(silence|mute|logs?)\s+(\S.*)$/i.exec(query.trim()) ?? [];
  if (verb === undefined || name === undefined) return undefined;
  return { verb: verb.toLowerCase().startsWith("log") ? "log" : "silence", name };
}

/** Whose log, and what is looked for in it: `web error`. Names of containers have no spaces. */
export function logOf(name: string): { container: string; find: string | undefined } {
  const [, container = name, find] = /^(\S+)\s+(\S.*)$/.exec(name) ?? [];
  return { container, find };
}

/** What is to be silenced, and for how long: `shop 8h`; two hours where the name says nothing. */
export function silenceOf(name: string): { about: string; preset: Preset } {
  const [, about = name, length = "2h"] = /^(.*\S)\s+(\d+\s?[hm])$/i.exec(name) ?? [];
  const preset = PRESETS.find(({ key }) => key === length.replace(" ", "").toLowerCase());
  return preset === undefined ? { about: name, preset: "2h" } : { about, preset: preset.key };
}

/** A thing, a group or a host that a command may be about. */
export interface Target {
  /** `group:shop`, `container:42`. */
  entity: string;
  name: string;
  /** What distinguishes it from others of the same name. */
  note: string;
}

const GROUP_END = " (group)";

/** The things whose name fits best; of equals groups and hosts come first, as in `options`. */
export function targetsOf(options: readonly Option[], name: string): Target[] {
  const targets = options.map(({ value, label, note = "" }): Target => {
    if (!value.startsWith(`${SCOPES.group}:`)) return { entity: value, name: label, note };
    return { entity: value, name: label.endsWith(GROUP_END) ? label.slice(0, -GROUP_END.length) : label, note: `Group, ${note}` };
  });
  return bestMatches(targets, name, (target) => target.name, OFFERED);
}
