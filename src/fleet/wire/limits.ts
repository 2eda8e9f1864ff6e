/** Limits of what an agent may send. Collectors keep to those of containers by themselves, but an agent is not trusted to. */
import { MOST_CONTAINERS } from "../../observations.ts";
import type { KubernetesObjectKind } from "../../observations/kubernetes.ts";

/** Of the transport. A larger message ends the stream. */
export const MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
export const MAX_BATCH_EVENTS = 1000;
export const MAX_BATCH_BYTES = 1024 * 1024;
/** The parts of a message, such as list items, map entries and inner messages; two bytes can make hundreds of bytes of them in memory. */
export const MAX_PARTS = 150_000;

export const MAX_CONTAINERS = MOST_CONTAINERS;
/** For an inventory in parts: the bytes of its messages, the labels of all containers, and the parts. */
export const MAX_LISTING_BYTES = 64 * 1024 * 1024;
export const MAX_LISTING_LABELS = 1_000_000;
export const MAX_LISTING_PARTS = 1000;
export const MAX_ID = 255;
export const MAX_NAME = 255;
export const MAX_IMAGE = 512;
/** For errors in the words of the runtime. */
export const MAX_ERROR = 1000;
export const MAX_LABELS = 512;
export const MAX_LABEL_NAME = 512;
export const MAX_LABEL_VALUE = 8192;
export const MAX_LABEL_ERRORS = 50;
export const MAX_ENDPOINTS = 100;
export const MAX_CERTIFICATES = 50;
/** For a chain: 50 certificates that were sent, and those that complete the chain. */
export const MAX_CHAIN = 100;
export const MAX_SANS = 200;
/** For the names in a certificate. */
export const MAX_SUBJECT = 500;
export const MAX_LINK_ERROR = 2000;
export const MAX_CHAIN_ERROR = 10_000;
export const MAX_PORTS = 200;
export const PORT_NUMBERS = [1, 65_535] as const;
export const MAX_LIST = 20;
export const MAX_HEADERS = 50;
export const MAX_PATTERN = 500;
export const MAX_SNIPPET_BYTES = 10 * 1024;
/** The largest number that a double holds exactly. */
export const MAX_NUMBER = Number.MAX_SAFE_INTEGER;
/** The beginning of the year 0, the first that a certificate can have. */
export const MIN_TIME_MS = -62_167_219_200_000;
/** The end of the year 9999. */
export const MAX_TIME_MS = 253_402_300_799_999;
/** For a swarm. */
export const MAX_SERVICES = 2000;
export const MAX_TASKS = 10_000;
export const MAX_NODES = 1000;
export const MAX_SERVICE_LIST = 50;
/** For a cluster, by kind of object. */
export const MAX_OBJECTS: Readonly<Record<KubernetesObjectKind, number>> = {
  namespaces: 2000,
  nodes: 5000,
  workloads: 10_000,
  pods: 20_000,
  services: 10_000,
  routes: 10_000,
  claims: 10_000,
  certificates: 10_000,
  events: 10_000,
};
/** For the content of a sighting or one of its parts, and for all parts together. */
export const MAX_CONTENT_BYTES = 1024 * 1024;
export const MAX_POD_CONTAINERS = 100;
