import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { RuntimeStatusRecord } from "../../../../../src/app/meta/answers.ts";
import type { AgentRecord } from "../../../../../src/fleet/agents/answers.ts";
import type { HostRecord } from "../../../../../src/monitoring/resources/answers.ts";
import { namespacesQuery } from "../../../api/kubernetes.ts";
import { healthQuery } from "../../../api/queries.ts";
import { standingWords } from "../../../entities/kubernetes/cluster-words.ts";
import { countOf, formatCount } from "../../../format/number.ts";
import { runtimeName, runtimeText } from "../../../format/runtime-name.ts";
import { Age } from "../../../ui/age.tsx";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { capabilityWords, clockWords, formatEventRate } from "../words.ts";

/** An agent's description of itself, and what waits in its spool or was lost. */
export function AgentFacts({ agent }: { agent: AgentRecord }) {
  const { spool, capabilities, revoked_at, connection_state, clock_offset_ms } = agent;
  return (
    <Facts>
      <Fact name="Host name">
        <bdi>{agent.hostname}</bdi>
      </Fact>
      <Fact name="System">
        <bdi>{[agent.os, agent.arch].filter((part) => part !== "").join(" · ") || "–"}</bdi>
      </Fact>
      <Fact name="Runtime">{runtimeName(agent.runtime)}</Fact>
      {agent.runtime === "kubernetes" && <ClusterFact agentId={agent.id} />}
      <Fact name="Version">
        <bdi>{agent.version || "–"}</bdi>
      </Fact>
      <Fact name="Last seen">
        {connection_state === "connected" ? <Age at={agent.last_seen_at} form="ago" /> : <Timestamp at={agent.last_seen_at} />}
      </Fact>
      <Fact name="Enrolled">
        <Timestamp at={agent.enrolled_at} />
      </Fact>
      {revoked_at !== null && (
        <Fact name="Revoked">
          <Timestamp at={revoked_at} />
        </Fact>
      )}
      <Fact name="Events">
        <span className="tabular-nums">{formatEventRate(agent.events_per_second)} a second</span>
      </Fact>
      <Fact name="Queue">
        <span className="tabular-nums">{queueSentence(spool)}</span>
      </Fact>
      <Fact name="Dropped">
        <span className="tabular-nums">
          {spool.dropped === 0 ? "nothing" : `${countOf(spool.dropped, "event")}, because the queue was full; the history has a gap`}
        </span>
      </Fact>
      <Fact name="Clock">
        {clock_offset_ms === null ? "unknown" : (clockWords(clock_offset_ms)?.replace("clock ", "") ?? "in sync with the server")}
      </Fact>
      <Fact name="Sends">{capabilities.length === 0 ? "containers" : `containers, ${capabilityWords(capabilities)}`}</Fact>
      <Fact name="ID">
        <span className="-my-1.5 flex items-center gap-1">
          <code className="min-w-0 font-mono text-xs wrap-anywhere">{agent.id}</code>
          <CopyButton text={agent.id} label="Copy the ID" />
        </span>
      </Fact>
    </Facts>
  );
}

function queueSentence({ queued, draining }: AgentRecord["spool"]): string {
  if (draining) return queued === 0 ? "is being sent" : `${formatCount(queued)} to be sent, under way`;
  return queued === 0 ? "empty" : `${formatCount(queued)} to be sent`;
}

/** What is known of a host that no agent speaks for. */
export function LocalFacts({ host, runtime }: { host: HostRecord; runtime: RuntimeStatusRecord | undefined }) {
  const version = useQuery(healthQuery).data?.version;
  const isLocal = host.agent_id === null;
  const software = runtime?.runtime ?? host.runtime;
  return (
    <Facts>
      <Fact name="Host name">
        <bdi>{host.hostname ?? "–"}</bdi>
      </Fact>
      <Fact name="System">
        <bdi>{host.os ?? "–"}</bdi>
      </Fact>
      <Fact name="Runtime">{software === null ? "–" : runtimeText(software, runtime?.version ?? null)}</Fact>
      {isLocal && runtime !== undefined && (
        <Fact name="Engine address">
          <code className="font-mono text-xs">{runtime.address}</code>
        </Fact>
      )}
      {isLocal && <Fact name="Version">{version ?? "–"}</Fact>}
      {host.timestamp !== null && (
        <Fact name="Last metrics">
          <Age at={host.timestamp} form="ago" />
        </Fact>
      )}
    </Facts>
  );
}

/** Whether an agent watches its cluster of Kubernetes, or stands by for another one. Nothing while that is not known. */
function ClusterFact({ agentId }: { agentId: string }) {
  const { data } = useQuery(namespacesQuery(agentId));
  const host = data?.clusters.flatMap(({ hosts }) => hosts).find((each) => each.agent_id === agentId);
  if (host === undefined) return null;
  return (
    <Fact name="Cluster">
      <bdi>{standingWords(host)}</bdi>{" "}
      <Link to="/kubernetes" search={{}} className="underline underline-offset-2 hover:text-ink">
        Show it
      </Link>
    </Fact>
  );
}
