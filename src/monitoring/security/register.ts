import type { PresentContainers, SavedContainer } from "../containers/index.ts";
import { type Acknowledgment, hostOf, type KnownAcknowledgments } from "./acknowledgment.ts";
import { difference, type Insight, insightsOf, isAssessed, type ClusterExposure, type PublishedPort } from "./insight.ts";

/** An assessed container with all its findings, worst first. */
export interface Assessment {
  container: SavedContainer;
  findings: readonly Finding[];
}

export interface Finding extends Insight {
  /** undefined: nobody acknowledged it. */
  acknowledgment: Acknowledgment | undefined;
}

/** What became of what is found of a container. */
export interface Change {
  assessment: Assessment;
  added: readonly Insight[];
  removed: readonly Insight[];
}

/** What is found of every container that runs, in memory: re-created from the containers at every start. */
export interface Register {
  /** Looks at a present container again, or at one that is gone; answers what is found of it now and was not before, if anything changed. */
  assess(id: number): Change | undefined;
  get(id: number): Assessment | undefined;
  /** Of one host, or of all. */
  all(host: string | undefined): Iterable<Assessment>;
  ids(): Iterable<number>;
  forgetHost(agentId: string): void;
}

interface Entry {
  container: SavedContainer;
  insights: readonly Insight[];
}

/** Ports of a container's service that every node of its swarm has open. */
export type NodePortsOf = (container: SavedContainer) => readonly PublishedPort[];

/** What Kubernetes says of the workload that a container stands for; undefined of others. */
export type ExposureOf = (container: SavedContainer) => ClusterExposure | undefined;

export interface RegisterParts {
  present: Pick<PresentContainers, "get">;
  known: KnownAcknowledgments;
  nodePortsOf: NodePortsOf;
  exposureOf: ExposureOf;
}

export function createRegister({ present, known, nodePortsOf, exposureOf }: RegisterParts): Register {
  const entries = new Map<number, Entry>();

  function assessmentOf({ container, insights }: Entry): Assessment {
    return { container, findings: insights.map((insight) => ({ ...insight, acknowledgment: known.find(container, insight) })) };
  }

  function aroundOf(container: SavedContainer) {
    if (container.runtime === "kubernetes") return { cluster: exposureOf(container) };
    return { nodePorts: nodePortsOf(container) };
  }

  return {
    assess(id) {
      const there = present.get(id);
      const container = there?.archivedAt === null ? there : undefined;
      const before = entries.get(id);
      const shown = container ?? before?.container;
      if (shown === undefined) return undefined;
      const insights = container === undefined ? [] : insightsOf(container, before?.insights, aroundOf(container));
      if (container !== undefined && isAssessed(container)) entries.set(id, { container, insights });
      else entries.delete(id);
      const { added, removed } = difference(before?.insights ?? [], insights);
      if (added.length === 0 && removed.length === 0) return undefined;
      return { assessment: assessmentOf({ container: shown, insights }), added, removed };
    },
    get(id) {
      const entry = entries.get(id);
      return entry && assessmentOf(entry);
    },
    *all(host) {
      for (const entry of entries.values()) if (host === undefined || hostOf(entry.container.agentId) === host) yield assessmentOf(entry);
    },
    ids: () => entries.keys(),
    forgetHost(agentId) {
      for (const [id, { container }] of entries) if (container.agentId === agentId) entries.delete(id);
    },
  };
}

export function openFindings({ findings }: Pick<Assessment, "findings">): Finding[] {
  return findings.filter(({ acknowledgment }) => acknowledgment === undefined);
}
