import { DAY_MS } from "../../contract/time.ts";
import { capitalise, joinWords } from "../../contract/words.ts";
import type { UpdateType } from "../../events.ts";
import { LEAST_SCORES, type Vulnerability, type VulnerabilityList } from "../../images/index.ts";
import type { SavedContainer } from "../containers/index.ts";
import type { RiskLevel, RiskPart } from "./answers.ts";

export interface Risk {
  /** 0 to 100: the sum of the parts. */
  score: number;
  level: RiskLevel;
  /** What the level would be if all that is not known were at its worst. */
  levelAtMost: RiskLevel;
  parts: RiskPart[];
}

interface FoundVulnerabilities extends Pick<VulnerabilityList, "known" | "vulnerabilities"> {
  /** False when packages or records were left out. */
  complete: boolean;
}

export interface RiskInput {
  /** Of what is available; null when nothing is. */
  updateType: UpdateType | null;
  /** Of the image that runs; undefined when they were not looked up. */
  vulnerabilities: FoundVulnerabilities | undefined;
  exposure: {
    /** Ports that are published to all addresses of the host. */
    publishedPorts: number;
    /** Ports that its services open on every node of its cluster, or behind a load balancer; null when not known. */
    servicePorts: number | null;
    privileged: boolean;
    hostNetwork: boolean;
  };
  /** Null when not known. */
  restarts24h: number | null;
  /** When the image that runs was built, as it says itself. */
  currentBuiltAt: Date | null;
  now: Date;
}

/**
 * How much speaks for caring about a container's image soon, with the reasons. What is not known gives no points, says so, and is not taken for well:
 * the level may be higher. Source: contract, section 9.
 */
export function riskOf(input: RiskInput): Risk {
  const parts = [
    updateTypePart(input.updateType),
    worstCvePart(input.vulnerabilities),
    exposurePart(input.exposure),
    restartsPart(input.restarts24h),
    agePart(input.currentBuiltAt, input.now),
  ];
  const score = parts.reduce((sum, { points }) => sum + points, 0);
  const unseen = parts.reduce((sum, part) => sum + (part.known ? 0 : mostPoints(part, input) - part.points), 0);
  return { score, level: levelOf(score), levelAtMost: levelOf(score + unseen), parts };
}

/** What a part could give if what was not seen were at its worst. */
function mostPoints({ name, of }: RiskPart, { exposure }: RiskInput): number {
  return name === "exposure" ? exposurePart({ ...exposure, servicePorts: exposure.servicePorts ?? MANY_PORTS }).points : of;
}

export function levelOf(score: number): RiskLevel {
  if (score >= 75) return "critical";
  if (score >= 50) return "high";
  return score >= 25 ? "medium" : "low";
}

const STEPS: Record<UpdateType, { points: number; why: string }> = {
  major: { points: 15, why: "A major version is available." },
  minor: { points: 9, why: "A minor version is available." },
  patch: { points: 6, why: "A patch is available." },
  digest: { points: 4, why: "The same tag has newer content." },
};

function updateTypePart(type: UpdateType | null): RiskPart {
  return { name: "update_type", of: 15, known: true, ...(type === null ? { points: 0, why: "Nothing newer is available." } : STEPS[type]) };
}

const MOST_CVE_POINTS = 40;

function worstCvePart(list: FoundVulnerabilities | undefined): RiskPart {
  const part = { name: "worst_cve", of: MOST_CVE_POINTS } as const;
  if (list === undefined) return { ...part, points: 0, known: false, why: "Vulnerabilities are not known: they were not looked up." };
  const [worst] = list.vulnerabilities.flatMap(rated).sort((a, b) => b.score - a.score);
  if (worst !== undefined) {
    const severity = worst.severity === null ? "" : `${worst.severity}, `;
    const fix = worst.fixedIn === null ? "" : `, fixed in ${worst.fixedIn}`;
    const why = `${worst.id} in ${worst.package} (${severity}${worst.scored ? worst.score.toFixed(1) : "no score"})${fix}.`;
    const points = Math.ceil((worst.score * MOST_CVE_POINTS) / 10);
    return { ...part, points, known: points === MOST_CVE_POINTS || (list.known && list.complete), why };
  }
  if (!list.known) return { ...part, points: 0, known: false, why: "Vulnerabilities are not known." };
  const unrated = list.vulnerabilities.length;
  if (unrated === 0 && list.complete) return { ...part, points: 0, known: true, why: "No vulnerability of its packages is known." };
  if (unrated === 0)
    return { ...part, points: 0, known: false, why: "No vulnerability is known, but not all of its packages could be looked up." };
  return {
    ...part,
    points: 0,
    known: false,
    why: `How bad ${unrated === 1 ? "its one vulnerability is" : `its ${unrated} vulnerabilities are`} is not known.`,
  };
}

function rated(
  found: Vulnerability,
): (Pick<Vulnerability, "id" | "package" | "fixedIn" | "severity"> & { score: number; scored: boolean })[] {
  const score = found.score ?? (found.severity === null ? undefined : LEAST_SCORES[found.severity]);
  return score === undefined ? [] : [{ ...found, score, scored: found.score !== null }];
}

const PRIVILEGED_POINTS = 8;
const HOST_NETWORK_POINTS = 5;

const MANY_PORTS = 5;

function exposurePart({ publishedPorts, servicePorts, privileged, hostNetwork }: RiskInput["exposure"]): RiskPart {
  const ofServices = servicePorts ?? 0;
  const reasons = [
    ...(publishedPorts > 0
      ? [publishedPorts === 1 ? "a port is exposed on all interfaces" : `${publishedPorts} ports are exposed on all interfaces`]
      : []),
    ...(ofServices > 0
      ? [
          ofServices === 1
            ? "a port of its service is open outside its cluster"
            : `${ofServices} ports of its services are open outside its cluster`,
        ]
      : []),
    ...(privileged ? ["it runs privileged"] : []),
    ...(hostNetwork ? ["it uses host network mode"] : []),
  ];
  const points = portPoints(publishedPorts + ofServices) + (privileged ? PRIVILEGED_POINTS : 0) + (hostNetwork ? HOST_NETWORK_POINTS : 0);
  const none = servicePorts === null ? "What its cluster opens for it is not known." : "No port is exposed on all interfaces.";
  return { name: "exposure", of: 20, points, known: servicePorts !== null, why: reasons.length > 0 ? sentence(reasons) : none };
}

function portPoints(ports: number): number {
  if (ports >= MANY_PORTS) return 7;
  if (ports >= 2) return 6;
  return ports > 0 ? 4 : 0;
}

function sentence(reasons: readonly string[]): string {
  return `${capitalise(joinWords(reasons))}.`;
}

function restartsPart(restarts: number | null): RiskPart {
  const part = { name: "restarts", of: 10 } as const;
  if (restarts === null) return { ...part, points: 0, known: false, why: "Restarts are not known." };
  const why = restarts === 0 ? "No restart in 24 hours." : `${restarts} restart${restarts === 1 ? "" : "s"} in 24 hours.`;
  return { ...part, points: Math.min(2 * restarts, 10), known: true, why };
}

/** From so many days on. */
const AGES = [
  { days: 365, points: 15 },
  { days: 180, points: 11 },
  { days: 90, points: 7 },
  { days: 30, points: 3 },
];

function agePart(builtAt: Date | null, now: Date): RiskPart {
  const part = { name: "age", of: 15 } as const;
  const days = builtAt === null ? -1 : Math.floor((now.getTime() - builtAt.getTime()) / DAY_MS);
  // Images that are built to be the same each time say 1970, or another year of no meaning.
  if (builtAt === null || days < 0 || builtAt.getTime() < FIRST_IMAGES_MS)
    return { ...part, points: 0, known: false, why: "When the image was built is not known." };
  const points = AGES.find((age) => days >= age.days)?.points ?? 0;
  return {
    ...part,
    points,
    known: true,
    why: days === 0 ? "The image was built today." : `The image was built ${days} day${days === 1 ? "" : "s"} ago.`,
  };
}

/** Before Docker there were none. */
const FIRST_IMAGES_MS = Date.UTC(2013, 2, 1);

/** Ports of a container's service that its cluster opens to the outside; undefined: not known. Asked for those of clusters alone. */
export type ServicePortsOf = (container: SavedContainer) => readonly { port: number; protocol: string }[] | undefined;

/** How far a container can be reached, as far as that raises the risk of leaving it as it is. */
export function exposureOf(container: SavedContainer, servicePortsOf: ServicePortsOf): RiskInput["exposure"] {
  const { ports, networkMode, privileged, runtime } = container;
  const hostNetwork = networkMode === "host";
  const everywhere = ports.filter(({ hostIp, hostPort }) => hostPort !== null && (hostIp === "0.0.0.0" || hostIp === "::"));
  const published = new Set(everywhere.map(({ containerPort, protocol }) => `${containerPort}/${protocol}`));
  const opened = runtime === "docker" ? [] : servicePortsOf(container);
  const servicePorts = opened === undefined ? null : new Set(opened.map(({ port, protocol }) => `${port}/${protocol}`)).size;
  return { publishedPorts: hostNetwork ? 0 : published.size, servicePorts, privileged, hostNetwork };
}
