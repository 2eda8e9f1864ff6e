import type { SavedContainer } from "../containers/index.ts";

/** What an image is made of, and how that is known. */
export interface Ecosystem {
  name: string;
  source: "label" | "manifest" | "known_image";
}

/** What the configuration of a container's image says that it is made of; undefined: it does not say, or is not known. */
export type ConfigEcosystemOf = (container: SavedContainer) => string | undefined;

const BASE_LABEL = "org.opencontainers.image.base.name";

/** Official images by what they are made of. Whatever is not here is unknown, and stays so. */
const KNOWN_IMAGES: ReadonlyMap<string, string> = new Map([
  ...["alpine", "debian", "ubuntu", "fedora", "centos", "rockylinux", "almalinux", "amazonlinux", "oraclelinux"].map(same),
  ...["archlinux", "busybox"].map(same),
  ...["python", "node", "golang", "ruby", "php", "rust", "perl", "elixir", "erlang", "haskell", "julia", "swift"].map(same),
  ...imagesOf("java", ["openjdk", "eclipse-temurin", "amazoncorretto", "tomcat", "jetty", "maven", "gradle"]),
  ...imagesOf("php", ["wordpress", "nextcloud", "drupal"]),
  ["ghost", "node"],
  ...imagesOf("debian", ["nginx", "httpd", "postgres", "mysql", "mariadb", "redis", "mongo", "haproxy", "memcached", "rabbitmq"]),
]);

/** Those that come without a language: with such a tag they are made of Alpine. */
const ALPINE_TAG = /(?:^|-)alpine(?:\d|$|[.-])/;

/**
 * What a container's image is made of: what its OCI labels say of its base, else what its configuration says (`byConfig`), else what is known of
 * the image by its name; null when it is unknown. Source: specification, Security insight and acknowledgment.
 */
export function ecosystemOf(
  { image, labels }: { image: string; labels: Readonly<Record<string, string>> },
  byConfig?: string,
): Ecosystem | null {
  const base = labels[BASE_LABEL];
  const byLabel = base === undefined ? undefined : knownImage(base);
  if (byLabel !== undefined) return { name: byLabel, source: "label" };
  if (byConfig !== undefined) return { name: byConfig, source: "manifest" };
  const byImage = knownImage(image);
  return byImage === undefined ? null : { name: byImage, source: "known_image" };
}

function knownImage(reference: string): string | undefined {
  const [, repository, tag = ""] = /^(?:docker\.io\/)?(?:library\/)?([a-z0-9]+(?:[._-][a-z0-9]+)*)(?::([\w][\w.-]{0,127}))?(?:@.+)?$/.exec(
    reference.slice(0, 512),
  ) ?? [undefined, undefined, undefined];
  const known = repository === undefined ? undefined : KNOWN_IMAGES.get(repository);
  return known === "debian" && repository !== "debian" && ALPINE_TAG.test(tag) ? "alpine" : known;
}

function same(name: string): [string, string] {
  return [name, name];
}

function imagesOf(name: string, images: readonly string[]): [image: string, name: string][] {
  return images.map((image) => [image, name]);
}

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
/** What an ecosystem is built on, which is then not listed as well. */
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
 * the distribution that labelled it. Undefined when it is unknown, or when several languages might be meant.
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
