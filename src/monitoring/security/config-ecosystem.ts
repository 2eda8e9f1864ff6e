/** What the configuration of an image says of what it is made of. */

export interface ImageConfiguration {
  /** Lines `NAME=value`. */
  environment: readonly string[];
  labels: Readonly<Record<string, string>>;
  entrypoint: readonly string[] | null;
  command: readonly string[] | null;
}

/** Variables that official images of languages set, and those made from them inherit. A later row is what an earlier one is made from. */
const VARIABLES: readonly (readonly [variable: string, ecosystem: string])[] = [
  ["ELIXIR_VERSION", "elixir"],
  ["OTP_VERSION", "erlang"],
  ["PYTHON_VERSION", "python"],
  ["NODE_VERSION", "node"],
  ["GOLANG_VERSION", "golang"],
  ["RUBY_VERSION", "ruby"],
  ["PHP_VERSION", "php"],
  ["RUST_VERSION", "rust"],
  ["JULIA_VERSION", "julia"],
  ["SWIFT_VERSION", "swift"],
  ["JAVA_VERSION", "java"],
  ["JAVA_HOME", "java"],
  ["ASPNET_VERSION", "dotnet"],
  ["DOTNET_VERSION", "dotnet"],
];
/** What an ecosystem stands on, which is then not told besides. */
const STANDS_ON: ReadonlyMap<string, string> = new Map([["elixir", "erlang"]]);

/** Programs that run what is written in a language. */
const PROGRAMS: readonly (readonly [program: RegExp, ecosystem: string])[] = [
  [/^(?:python|pypy)[\d.]*$|^(?:gunicorn|uvicorn|celery|uwsgi)$/, "python"],
  [/^(?:node|nodejs|npm|npx|yarn|pnpm)$/, "node"],
  [/^java$/, "java"],
  [/^(?:ruby|bundle|rails|puma)$/, "ruby"],
  [/^php(?:-fpm)?[\d.]*$/, "php"],
  [/^dotnet$/, "dotnet"],
  [/^perl$/, "perl"],
  [/^(?:mix|iex|elixir)$/, "elixir"],
];

/** Labels in which distributions name themselves. */
const NAME_LABELS = ["org.opencontainers.image.ref.name", "name"];
const DISTRIBUTIONS: readonly (readonly [name: RegExp, ecosystem: string])[] = [
  [/^ubuntu$/, "ubuntu"],
  [/^debian$/, "debian"],
  [/^alpine$/, "alpine"],
  [/^fedora$/, "fedora"],
  [/^centos$/i, "centos"],
  [/^(?:ubi|rhel)\d+(?:[/-][a-z]+)?$/, "rhel"],
  [/^(?:rocky|rockylinux)$/i, "rockylinux"],
  [/^(?:almalinux|almalinux base)$/i, "almalinux"],
];

/** Before the program itself, in a line for a shell. */
const SHELL = /^(?:ba|da|a)?sh$/;
const ASSIGNMENT = /^\w+=/;
const MAX_WORD = 500;

/**
 * What an image is made of by its configuration: the language of the program that it runs, else the one whose official image it was made from, else
 * the distribution that labelled it. Undefined when nothing tells, or when several languages might be meant.
 */
export function ecosystemOfConfig({ environment, labels, entrypoint, command }: ImageConfiguration): string | undefined {
  const byProgram = languageOf(programOf([...(entrypoint ?? []), ...(command ?? [])]));
  if (byProgram !== undefined) return byProgram;
  const names = new Set(environment.map((line) => line.slice(0, MAX_WORD).split("=", 1)[0]));
  const languages = new Set(VARIABLES.filter(([variable]) => names.has(variable)).map(([, ecosystem]) => ecosystem));
  for (const [above, below] of STANDS_ON) if (languages.has(above)) languages.delete(below);
  const [language] = languages;
  return languages.size === 0 ? distributionOf(labels) : languages.size === 1 ? language : undefined;
}

/** The name of the program that a command line starts, without its folder: past what sets up its environment. */
function programOf(words: readonly string[]): string | undefined {
  const [first, second, third] = words.map((word) => word.slice(0, MAX_WORD));
  const name = first === undefined ? undefined : lastPart(first);
  if (name === undefined) return undefined;
  if (name === "env" || name === "tini" || name === "dumb-init")
    return programOf(words.slice(1).filter((word) => word !== "--" && !ASSIGNMENT.test(word)));
  if (!SHELL.test(name) || second !== "-c" || third === undefined) return name;
  const program = third.split(/\s+/).find((word) => word !== "" && word !== "exec" && !ASSIGNMENT.test(word));
  return program === undefined ? undefined : lastPart(program);
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function languageOf(program: string | undefined): string | undefined {
  return program === undefined ? undefined : PROGRAMS.find(([pattern]) => pattern.test(program))?.[1];
}

function distributionOf(labels: Readonly<Record<string, string>>): string | undefined {
  for (const label of NAME_LABELS) {
    const name = labels[label]?.slice(0, MAX_WORD);
    const known = name === undefined ? undefined : DISTRIBUTIONS.find(([pattern]) => pattern.test(name))?.[1];
    if (known !== undefined) return known;
  }
  return undefined;
}
