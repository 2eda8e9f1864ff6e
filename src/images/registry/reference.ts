import { isIPv6 } from "node:net";
import type { OutboundPrivateHost } from "../../platform/outbound.ts";
import { cleanName } from "../../platform/text.ts";
import type { ImageReference } from "../image.ts";

const DEFAULT_REGISTRY = "docker.io";
/** What Docker Hub was called before. */
const FORMER_NAMES = ["index.docker.io"];
const BOUNDS = { text: 1024, repository: 255 };

const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,62})(?:\.[a-z0-9](?:[a-z0-9-]{0,62}))*)$/i;
const COMPONENT = /^[a-z0-9]+(?:(?:\.|__?|-+)[a-z0-9]+)*$/;
const TAG = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,127}$/;
const DIGEST = /^(?:sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$/;

export function isTag(text: string): boolean {
  return TAG.test(text);
}

/** Of the two algorithms that registries may use. Source: OCI image specification, Descriptors. */
export function isDigest(text: string): boolean {
  return DIGEST.test(text);
}

/**
 * An image's name taken apart by Docker's rules: the first part is a registry when it has a dot, a colon or capitals or is `localhost`; else the
 * image is on Docker Hub, whose own images have no second part. `error` is a sentence. Source: distribution/reference, normalize.go.
 */
export function readReference(image: string): ImageReference | { error: string } {
  const shown = `The image's name ${JSON.stringify(cleanName(image, 120))}`;
  const bad = (why: string): { error: string } => ({ error: `${shown} ${why}.` });
  if (image.length > BOUNDS.text) return bad(`is longer than ${BOUNDS.text} characters`);
  if (/^(?:sha256:)?[0-9a-f]{64}$/.test(image)) return bad("is the id of an image without a name, which no registry can be asked about");
  const at = image.indexOf("@");
  const digest = at === -1 ? null : image.slice(at + 1);
  if (digest !== null && !isDigest(digest)) return bad("has a digest that is neither sha256 nor sha512 with its hexadecimal digits");
  const { host, rest } = splitHost(at === -1 ? image : image.slice(0, at));
  const colon = rest.indexOf(":");
  const tag = colon === -1 ? null : rest.slice(colon + 1);
  if (tag !== null && !isTag(tag))
    return bad("has a tag with other characters than letters, digits, dots, dashes and underscores, or too long a one");
  const name = colon === -1 ? rest : rest.slice(0, colon);
  const registry = readHost(host ?? DEFAULT_REGISTRY);
  if (registry === undefined) return bad("has a registry that is not HOST or HOST:PORT");
  const repository = registry === DEFAULT_REGISTRY && !name.includes("/") ? `library/${name}` : name;
  const fault = repositoryFault(repository, name);
  return fault === undefined ? { registry, repository, tag, digest } : bad(fault);
}

/** The same image at another registry, as the label `service.update.registry` names it; null, or what is no registry, leaves it where it is. */
export function mirrored(reference: ImageReference, registry: string | null): ImageReference {
  const read = registry === null ? undefined : readHost(registry);
  return read === undefined ? reference : { ...reference, registry: read };
}

function splitHost(name: string): { host: string | undefined; rest: string } {
  const slash = name.indexOf("/");
  const first = name.slice(0, Math.max(slash, 0));
  const isHost = slash > 0 && (/[.:]/.test(first) || first === "localhost" || first !== first.toLowerCase());
  return isHost ? { host: first, rest: name.slice(slash + 1) } : { host: undefined, rest: name };
}

/** In lower case, with Docker Hub under its present name. */
function readHost(text: string): string | undefined {
  const [, bracketed, plain, port] = /^(?:\[([0-9a-f:.]{2,45})\]|([^\s:/[\]]{1,253}))(?::(\d{1,5}))?$/i.exec(text) ?? [];
  const isHost = bracketed === undefined ? plain !== undefined && HOST.test(plain) : isIPv6(bracketed);
  if (!isHost || (port !== undefined && (Number(port) < 1 || Number(port) > 65_535))) return undefined;
  const host = text.toLowerCase();
  return FORMER_NAMES.includes(host) ? DEFAULT_REGISTRY : host;
}

function repositoryFault(repository: string, given: string): string | undefined {
  if (given === "") return "has no repository";
  if (repository.length > BOUNDS.repository) return `has a repository of more than ${BOUNDS.repository} characters`;
  if (/[A-Z]/.test(repository))
    return `has capitals in the repository ${JSON.stringify(cleanName(given, 120))}, which must be in lower case`;
  if (!repository.split("/").every((part) => COMPONENT.test(part)))
    return "has a repository whose parts are not lower-case letters and digits with single dots, dashes or underscores between";
  return undefined;
}

/** Where the registry of Docker Hub answers: not under its own name. */
const DOCKER_HUB = "registry-1.docker.io";

/** Beginning of all addresses of a registry. */
export function baseUrl(registry: string, plainHttp: (registry: string) => boolean): string {
  if (registry === "docker.io") return `https://${DOCKER_HUB}`;
  return `${plainHttp(registry) ? "http" : "https"}://${registry}`;
}

/** Which registries are asked over plain http: those that the list of private hosts names so. */
export function plainHttpOf(privateHosts: readonly OutboundPrivateHost[]): (registry: string) => boolean {
  return (registry) => {
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d+))?$/.exec(registry.toLowerCase()) ?? [];
    return privateHosts.some(
      (each) =>
        each.plain && each.host.toLowerCase() === (bracketed ?? plain) && (each.port === undefined || each.port === Number(port ?? 80)),
    );
  };
}
