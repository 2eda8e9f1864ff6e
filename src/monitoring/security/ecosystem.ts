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
  ...["alpine", "debian", "ubuntu", "fedora", "centos", "rockylinux", "almalinux", "amazonlinux", "archlinux", "busybox"].map(same),
  ...["python", "node", "golang", "ruby", "php", "rust", "perl", "elixir", "erlang", "haskell", "julia", "swift"].map(same),
  ["oraclelinux", "oraclelinux"],
  ["openjdk", "java"],
  ["eclipse-temurin", "java"],
  ["amazoncorretto", "java"],
  ["tomcat", "java"],
  ["jetty", "java"],
  ["maven", "java"],
  ["gradle", "java"],
  ["wordpress", "php"],
  ["nextcloud", "php"],
  ["drupal", "php"],
  ["ghost", "node"],
  ...["nginx", "httpd", "postgres", "mysql", "mariadb", "redis", "mongo", "haproxy", "memcached", "rabbitmq"].map(onDebian),
]);

/** Those that come without a language of their own: with such a tag they are made of Alpine. */
const ALPINE_TAG = /(?:^|-)alpine(?:\d|$|[.-])/;

/**
 * What a container's image is made of: what its OCI labels say of its base, else what its configuration says (`byConfig`), else what is known of
 * the image by its name; null when nothing tells. Source: specification, Security insight and acknowledgment.
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

function onDebian(name: string): [string, string] {
  return [name, "debian"];
}
