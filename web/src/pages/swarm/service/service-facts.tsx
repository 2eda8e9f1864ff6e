import type { ServiceDetail } from "../../../../../src/monitoring/swarm/answers.ts";
import { formatBytes } from "../../../format/bytes.ts";
import { modeWord, servicePorts } from "../../../format/service-status.ts";
import { CommandLine } from "../../../ui/command-line.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";

/** What its tasks use together, and how many of them are seen. */
function usageText({ usage, running }: ServiceDetail): string {
  if (running === 0) return "Nothing: no task runs";
  if (usage === null) return "Unknown: no node that runs its tasks is monitored";
  const memory = usage.memory_bytes === null ? [] : [`${formatBytes(usage.memory_bytes)} memory`];
  const cores = usage.cpu_cores_used === null ? [] : [`${Number(usage.cpu_cores_used.toFixed(2))} CPU cores`];
  const seen = usage.tasks_seen === usage.tasks_running ? "" : ` · ${usage.tasks_seen} of ${usage.tasks_running} tasks are seen`;
  const figures = [...memory, ...cores].join(", ") || "Not measured by their engines";
  return `${figures}${seen}`;
}

/** What a service is made of, and the commands that change it. */
export function ServiceFacts({ service }: { service: ServiceDetail }) {
  const { rollout, ports, constraints, configs, commands, image_digest: digest } = service;
  return (
    <Facts>
      <Fact name="Image">
        <bdi>{service.image}</bdi>
        {digest !== null && <span className="block font-mono text-xs text-ink-2">{digest}</span>}
      </Fact>
      <Fact name="Uses">{usageText(service)}</Fact>
      <Fact name="Mode">{modeWord(service)}</Fact>
      {service.stack !== null && <Fact name="Stack">{service.stack}</Fact>}
      <Fact name="Ports">{ports.length === 0 ? "None published" : servicePorts(ports).join(", ")}</Fact>
      {constraints.length > 0 && <Fact name="Placement">{constraints.join(", ")}</Fact>}
      {configs.length > 0 && <Fact name="Configs">{configs.join(", ")}</Fact>}
      <Fact name="Last update">
        {rollout === null ? (
          "Never updated"
        ) : (
          <>
            {rollout.message || rollout.state.replaceAll("_", " ")}
            {rollout.started_at !== null && (
              <span className="text-ink-2">
                {" · "}
                <Timestamp at={rollout.completed_at ?? rollout.started_at} />
              </span>
            )}
          </>
        )}
      </Fact>
      {service.created_at !== null && (
        <Fact name="Created">
          <Timestamp at={service.created_at} />
        </Fact>
      )}
      {commands !== null && (
        <Fact name="On a manager">
          <div className="flex max-w-[80ch] flex-col gap-2">
            <CommandLine command={commands.update} />
            {commands.rollback !== null && <CommandLine command={commands.rollback} />}
          </div>
        </Fact>
      )}
    </Facts>
  );
}
