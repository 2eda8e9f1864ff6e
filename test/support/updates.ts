import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import type { Event, EventName } from "../../src/events.ts";
import type { PackageList, PlatformImage, Repository, Version } from "../../src/images/image.ts";
import { type ImageReaders, RegistryError, type Vulnerability } from "../../src/images/index.ts";
import { mirrored, readReference } from "../../src/images/registry/index.ts";
import type { Registries } from "../../src/images/registry/index.ts";
import { createTagRules } from "../../src/images/versions/index.ts";
import { createContainers } from "../../src/monitoring/containers/index.ts";
import { createUpdates, type Updates, type UpdatesDependencies } from "../../src/monitoring/updates/index.ts";
import type { ContainerSighting, Observation } from "../../src/observations.ts";
import { createBus } from "../../src/platform/bus.ts";
import { silentLog } from "../../src/platform/log.ts";
import { createScheduler } from "../../src/platform/scheduler.ts";
import type { Database } from "../../src/storage/database.ts";
import type { FakeClock } from "./fake-clock.ts";
import { sighting } from "./sightings.ts";

/** An image of one platform; two with the same facts are the same image. */
export interface PushedImage {
  content: string;
  platform?: string;
  createdAt?: string;
  labels?: Record<string, string>;
}

export interface Pushed {
  /** Of the list, where there is one, else of the manifest. */
  digest: string;
  /** In the order in which they were pushed. */
  platforms: { digest: string; configDigest: string }[];
}

/** Registries in memory, with the digests that real ones would compute; it counts what it is asked, and breaks on request. */
export interface MemoryRegistries {
  registries: Registries;
  /** `image` is a full name: `docker.io/library/web:1.0`. Several images make a list. */
  push(image: string, ...images: PushedImage[]): Pushed;
  /** Takes a tag away; what it led to can still be asked for by its digest. */
  untag(image: string): void;
  /** Forgets a content for good. */
  remove(digest: string): void;
  /** From now on a registry or repository, by the beginning of its name, answers with this; undefined: as it should. */
  break(name: string, fault: RegistryError | "hangs" | undefined): void;
  /** `digest docker.io/library/web:1.0`, `tags …`, `image …`, `config …`. */
  requests: string[];
  /** What images contain, by the content that was pushed. */
  packages: Map<string, Vulnerability[]>;
}

const digestOf = (document: unknown): string => `sha256:${createHash("sha256").update(JSON.stringify(document)).digest("hex")}`;

export function createMemoryRegistries(): MemoryRegistries {
  const tags = new Map<string, Map<string, string>>();
  const manifests = new Map<string, { configDigest: string; image: PushedImage } | { list: { platform: string; digest: string }[] }>();
  const faults = new Map<string, RegistryError | "hangs">();
  const requests: string[] = [];
  const packages = new Map<string, Vulnerability[]>();

  async function answer(
    what: string,
    { registry, repository }: Repository,
    version: Version | undefined,
    signal: AbortSignal,
  ): Promise<void> {
    signal.throwIfAborted();
    const name = `${registry}/${repository}`;
    requests.push(`${what} ${name}${version === undefined ? "" : "tag" in version ? `:${version.tag}` : `@${version.digest}`}`);
    const [, fault] = [...faults].find(([prefix]) => name.startsWith(prefix)) ?? [];
    if (fault === "hangs") {
      await new Promise<never>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true }));
    }
    if (fault instanceof RegistryError) throw fault;
  }

  function resolve({ registry, repository }: Repository, version: Version): string {
    const known = "tag" in version ? tags.get(`${registry}/${repository}`)?.get(version.tag) : version.digest;
    if (known === undefined || !manifests.has(known)) throw new RegistryError("not_found", `${registry} does not have this image.`);
    return known;
  }

  function imageAt(repository: Repository, digest: string, indexDigest: string | null): PlatformImage {
    const manifest = manifests.get(digest);
    if (manifest === undefined || "list" in manifest) throw new RegistryError("malformed", "A list leads to a list.");
    const { registry, repository: name } = repository;
    return { registry, repository: name, indexDigest, digest, configDigest: manifest.configDigest, layers: [], annotations: {} };
  }

  const contentOf = (digest: string): PushedImage | undefined => {
    const manifest = manifests.get(digest);
    return manifest === undefined || "list" in manifest ? undefined : manifest.image;
  };

  const registries: Registries = {
    async digestOf(repository, version, signal) {
      await answer("digest", repository, version, signal);
      return resolve(repository, version);
    },
    async image(repository, version, platform, signal) {
      await answer("image", repository, version, signal);
      const digest = resolve(repository, version);
      const manifest = manifests.get(digest);
      if (manifest === undefined || !("list" in manifest)) return imageAt(repository, digest, null);
      const wanted =
        platform === null ? "" : [platform.os, platform.architecture, ...(platform.variant === null ? [] : [platform.variant])].join("/");
      const found = manifest.list.find((each) => each.platform === wanted);
      if (found === undefined) throw new RegistryError("not_found", `The image is not made for ${wanted}.`);
      return imageAt(repository, found.digest, digest);
    },
    async tags(repository, signal) {
      await answer("tags", repository, undefined, signal);
      const known = tags.get(`${repository.registry}/${repository.repository}`);
      if (known === undefined) throw new RegistryError("not_found", `${repository.registry} does not have ${repository.repository}.`);
      return { tags: [...known.keys()], complete: true };
    },
    async config(image, signal) {
      await answer("config", image, { digest: image.digest }, signal);
      const { createdAt, labels = {} } = contentOf(image.digest) ?? {};
      return {
        platform: null,
        createdAt: createdAt === undefined ? null : new Date(createdAt),
        labels,
        environment: [],
        command: null,
        entrypoint: null,
      };
    },
    blob: async () => Readable.from([]),
    billsOfMaterials: async () => ({ bills: [], unread: 0 }),
    stop() {},
  };

  return {
    registries,
    requests,
    packages,
    push(image, ...images) {
      const colon = image.lastIndexOf(":");
      const platforms = images.map((each) => {
        const configDigest = digestOf(["config", each]);
        const digest = digestOf(["manifest", configDigest]);
        manifests.set(digest, { configDigest, image: each });
        return { digest, configDigest };
      });
      const list = platforms.map(({ digest }, index) => ({ platform: images[index]?.platform ?? "linux/amd64", digest }));
      const digest = list.length === 1 ? (list[0]?.digest ?? "") : digestOf(["list", list]);
      if (list.length > 1) manifests.set(digest, { list });
      const ofRepository = tags.get(image.slice(0, colon)) ?? new Map<string, string>();
      tags.set(image.slice(0, colon), ofRepository.set(image.slice(colon + 1), digest));
      return { digest, platforms };
    },
    untag: (image) => void tags.get(image.slice(0, image.lastIndexOf(":")))?.delete(image.slice(image.lastIndexOf(":") + 1)),
    remove: (digest) => void manifests.delete(digest),
    break(name, fault) {
      if (fault === undefined) faults.delete(name);
      else faults.set(name, fault);
    },
  };
}

/** Readers over registries in memory: the rules of tags and names are the real ones. */
export function memoryReaders({ registries, packages }: MemoryRegistries, clock: FakeClock): ImageReaders {
  const listed = new WeakMap<PackageList, string>();
  return {
    registries,
    rules: createTagRules(),
    readReference,
    mirrored,
    packages: {
      async packagesOf(image, signal) {
        signal.throwIfAborted();
        const list: PackageList = { source: "layers", packages: [], complete: true, note: null };
        listed.set(list, image.configDigest);
        return list;
      },
    },
    vulnerabilities: {
      async find(list, signal) {
        signal.throwIfAborted();
        const vulnerabilities = packages.get(listed.get(list) ?? "");
        return { known: vulnerabilities !== undefined, vulnerabilities: vulnerabilities ?? [], note: null, checkedAt: clock.now() };
      },
    },
    changelogs: {
      async between({ sourceUrl, availableTag }) {
        if (sourceUrl === null) return undefined;
        const entry = { version: availableTag, title: "Better", url: null, publishedAt: null, text: "All of it.", breaking: [] };
        return { entries: [entry], url: `${sourceUrl}/releases`, note: null };
      },
    },
  };
}

/** A vulnerability of a package; two with the same id and package are the same. */
export function flaw(id: string, severity: Vulnerability["severity"], name = "openssl"): Vulnerability {
  const scores = { critical: 9.8, high: 7.5, medium: 5, low: 2, none: 0 };
  return {
    id,
    osvId: id,
    package: name,
    version: "1",
    ecosystem: "Debian:12",
    score: severity === null ? null : scores[severity],
    vector: null,
    severity,
    fixedIn: "2",
    summary: "It breaks.",
    url: `https://osv.example/${id}`,
    publishedAt: null,
  };
}

/** Updates over a database, with a clock that the test turns and registries that it fills. */
export interface WatchedUpdates {
  updates: Updates;
  events: Event[];
  published<Name extends EventName>(name: Name): Event<Name>["data"][];
  /** An inventory of the local host, now. */
  show(...containers: Partial<ContainerSighting>[]): Promise<void>;
  idOf(externalId: string): number;
  stop(): Promise<void>;
}

/** As after a start of the program, on the database as it is. */
export async function startUpdates({
  database,
  clock,
  memory,
  granted = [],
  intervalMs = 86_400_000,
  imageReaders = async () => memoryReaders(memory, clock),
  ...given
}: { database: Database; clock: FakeClock; memory: MemoryRegistries; granted?: readonly string[] } & Partial<
  Pick<UpdatesDependencies, "intervalMs" | "imageReaders" | "chance" | "updateComparisons">
>): Promise<WatchedUpdates> {
  const events: Event[] = [];
  const bus = createBus<Event>(silentLog);
  bus.subscribe("test", (event) => void events.push(event));
  const scheduler = createScheduler(clock, silentLog);
  const shared = { database, bus, clock, scheduler, log: silentLog };
  const containers = createContainers({ ...shared, logSource: { async *logs() {} } });
  const updates = createUpdates({
    ...shared,
    containers,
    intervalMs,
    imageReaders,
    grants: (capability) => granted.includes(capability),
    updateComparisons: { latestOf: () => undefined },
    chance: () => 0.5,
    ...given,
  });
  await containers.start();
  await updates.start();
  return {
    updates,
    events,
    // The name says which data it is.
    published: <Name extends EventName>(name: Name) =>
      events.filter(({ type }) => type === name).map(({ data }) => data as Event<Name>["data"]),
    show: (...each) => {
      const inventory: Observation = { kind: "container.inventory", observedAt: clock.now(), containers: each.map(sighting) };
      return containers.observe(null, [inventory]);
    },
    idOf(externalId) {
      const container = containers.present.find(null, externalId);
      if (container === undefined) throw new Error(`there is no container ${externalId}`);
      return container.id;
    },
    async stop() {
      await updates.stop();
      await scheduler.stop();
    },
  };
}
