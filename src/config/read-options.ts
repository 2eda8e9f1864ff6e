import { closest, distance } from "fastest-levenshtein";
import { messageOf } from "../platform/errors.ts";
import { fileFlagOf, fileVariableOf, PREFIX, variableOf, type Option, type ValuesOf } from "./options.ts";

type Environment = Readonly<Record<string, string | undefined>>;

export interface Sources {
  argv: readonly string[];
  env: Environment;
  /** Reads a secret's file as text; throws when it cannot. */
  readFile(path: string): string;
}

export interface Reading<Table extends Record<string, Option>> {
  values: ValuesOf<Table>;
  /** Arguments that are neither flags nor their values. */
  words: readonly string[];
  /** One sentence each, beginning with the flag or variable at fault. */
  mistakes: readonly string[];
  warnings: readonly string[];
}

/** What was given for one option in one place: the text, or where it could not be had. */
type Given = { from: string; text: string } | { from: string; mistake: string };

/** Reads every option of a table: flag before variable before default. Collects mistakes, never throws for one. */
export function readOptions<Table extends Record<string, Option>>(table: Table, { argv, env, readFile }: Sources): Reading<Table> {
  const flags = splitArguments(argv, Object.values(table));
  const mistakes = [...flags.mistakes];
  const values: Record<string, unknown> = {};

  for (const [name, option] of Object.entries(table)) {
    const given = pick(option.flag, fileFlagOf(option), flags.given) ?? pick(variableOf(option), fileVariableOf(option), env);
    const fallback = option.default === undefined ? undefined : { from: option.flag, text: option.default };
    const source = given ?? fallback;
    if (source === undefined) continue;
    if ("mistake" in source) {
      mistakes.push(`${source.from}: ${source.mistake}`);
      continue;
    }
    try {
      values[name] = option.type.parse(source.text);
    } catch (error) {
      mistakes.push(`${source.from}: ${messageOf(error)}`);
    }
  }
  // Every name of the table was read by its own type, or a mistake says why not.
  return {
    values: values as ValuesOf<Table>,
    words: flags.words,
    mistakes,
    warnings: [...secretFlags(table, flags.given), ...unknownVariables(table, env)],
  };

  /** The direct text or the file's, of flags or of variables; an empty variable counts as unset. */
  function pick(name: string, fileName: string | undefined, place: Environment): Given | undefined {
    const direct = place[name] ?? "";
    const file = fileName === undefined ? "" : (place[fileName] ?? "");
    if (direct !== "" && file !== "") return { from: name, mistake: `given together with ${fileName}; keep one of them` };
    if (direct !== "") return { from: name, text: direct };
    return file === "" || fileName === undefined ? undefined : fromFile(fileName, file);
  }

  function fromFile(from: string, path: string): Given {
    try {
      const text = readFile(path).trim();
      return text === "" ? { from, mistake: `${path} is empty` } : { from, text };
    } catch (error) {
      return { from, mistake: `${path} cannot be read (${messageOf(error)})` };
    }
  }
}

function splitArguments(argv: readonly string[], options: readonly Option[]) {
  const toggles = new Set(options.filter((option) => option.type.toggle === true).map((option): string => option.flag));
  const known = options.flatMap((option): string[] => [option.flag, fileFlagOf(option) ?? option.flag]);
  const given: Record<string, string> = {};
  const words: string[] = [];
  const mistakes: string[] = [];

  for (let index = 0; index < argv.length; index += 1) {
    const argument = argv[index] ?? "";
    if (!argument.startsWith("-")) {
      words.push(argument);
      continue;
    }
    const equals = argument.indexOf("=");
    const flag = equals < 0 ? argument : argument.slice(0, equals);
    if (!known.includes(flag)) {
      mistakes.push(`${flag}: no such option${suggestion(nearest(flag, known))}`);
      // The word after an unknown flag is most likely its value.
      if (equals < 0 && !(argv[index + 1] ?? "-").startsWith("-")) index += 1;
      continue;
    }
    let text = equals < 0 ? undefined : argument.slice(equals + 1);
    if (text === undefined) {
      const next = argv[index + 1];
      if (toggles.has(flag)) text = "true";
      else if (next !== undefined && !next.startsWith("--")) {
        text = next;
        index += 1;
      }
    }
    if (text === undefined || text === "") mistakes.push(`${flag}: needs a value`);
    else if (flag in given) mistakes.push(`${flag}: given twice`);
    else given[flag] = text;
  }
  return { given, words, mistakes };
}

/** The secrets among the arguments: every user of the host can read those of every process. */
function secretFlags(table: Record<string, Option>, given: Environment): string[] {
  return Object.values(table)
    .filter((option) => option.type.secret === true && given[option.flag] !== undefined)
    .map((option) => {
      const [variable, file, fileFlag] = [variableOf(option), fileVariableOf(option), fileFlagOf(option)];
      return `${option.flag}: every user of this host can read it in the list of processes; use ${variable}, or a file: ${file} or ${fileFlag}`;
    });
}

/** What people write who know other programs. */
const USUAL_NAMES: Readonly<Record<string, string>> = {
  HOST: "ADDR",
  PORT: "ADDR",
  LISTEN: "ADDR",
  URL: "BASE_URL",
  DOCKER_SOCKET: "DOCKER_HOST",
};

/** Kubernetes writes these into every container, for services of any name, "service" and "service-..." among them. */
const SERVICE_LINK = /_SERVICE_(HOST|PORT(_\w+)?)$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/;
const SERVICE_LINK_VALUE = /^(tcp|udp|sctp):\/\//;

function unknownVariables(table: Record<string, Option>, env: Environment): string[] {
  const known = Object.values(table).flatMap((option) => [variableOf(option), fileVariableOf(option) ?? variableOf(option)]);
  const bare = known.map((name) => name.slice(PREFIX.length));
  return Object.entries(env)
    .filter(([name, value = ""]) => name.startsWith(PREFIX) && !known.includes(name) && !isServiceLink(name, value))
    .map(([name]) => {
      const rest = name.slice(PREFIX.length);
      const usual = USUAL_NAMES[rest];
      const meant = usual !== undefined && bare.includes(usual) ? usual : nearest(rest, bare);
      return `${name} is not an option and has no effect${suggestion(meant === undefined ? undefined : PREFIX + meant)}`;
    });
}

function isServiceLink(name: string, value: string): boolean {
  return SERVICE_LINK.test(name) || (name.endsWith("PORT") && SERVICE_LINK_VALUE.test(value));
}

/** The tail of a sentence about an unknown name. */
export function suggestion(name: string | undefined): string {
  return name === undefined ? "" : `; did you mean ${name}?`;
}

/** The known name that a mistyped one most likely meant; undefined when none is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const completed = known.find((each) => each.startsWith(`${name}_`) || each.startsWith(`${name}-`));
  if (completed !== undefined) return completed;
  const match = closest(name, known);
  return distance(name, match) <= Math.max(2, Math.floor(match.length * 0.4)) ? match : undefined;
}
