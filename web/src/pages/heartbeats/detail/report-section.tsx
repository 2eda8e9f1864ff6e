import { getRouteApi } from "@tanstack/react-router";
import type { HeartbeatRecord, Snippets } from "../../../../../src/monitoring/heartbeats/answers.ts";
import { CommandLine } from "../../../ui/command-line.tsx";
import { Section } from "../../../ui/section.tsx";
import { Tab, Tabs } from "../../../ui/tabs.tsx";
import { WAYS, type Way } from "./search.ts";

const route = getRouteApi("/heartbeats/$id");

const WAY_NAMES: Readonly<Record<Way, string>> = {
  crontab: "crontab",
  curl: "curl",
  wget: "wget",
  systemd: "systemd",
  powershell: "PowerShell",
  python: "Python",
  github_actions: "GitHub Actions",
  kubernetes_cronjob: "Kubernetes CronJob",
};

/** How the job reports: its address, and what to copy. */
export function ReportSection({ heartbeat, snippets }: { heartbeat: HeartbeatRecord; snippets: Snippets }) {
  const { via = "crontab" } = route.useSearch();
  return (
    <Section title="How the job reports">
      <div className="flex flex-col gap-1 pt-3">
        <h3 className="text-xs font-medium text-ink-2">Ping URL</h3>
        <CommandLine command={heartbeat.ping_url} />
        {isOnlyHere(heartbeat.ping_url) && (
          <p role="note" className="mt-2 max-w-[72ch]">
            This address only works on this machine. Set SERVICE_BASE_URL to one that the job can reach, and restart Binnacle.
          </p>
        )}
        <p className="max-w-[80ch] text-xs text-ink-2">
          Requesting this URL reports success. Append <Code>/start</Code> to start a run, <Code>/0</Code> to <Code>/255</Code> to end it
          with an exit code, <Code>/fail</Code> for a failure, <Code>/log</Code> for a note. A POST body is stored, up to 10 KB. Anyone who
          knows the URL can report.
        </p>
      </div>
      <div className="mt-3">
        <Tabs label="Ways to report">
          {WAYS.map((way) => (
            <Tab
              key={way}
              to="/heartbeats/$id"
              params={{ id: heartbeat.id }}
              search={(search) => ({ ...search, via: way })}
              replace
              resetScroll={false}
              activeOptions={{ exact: true }}
              current={via === way}
            >
              <span className="whitespace-nowrap">{WAY_NAMES[way]}</span>
            </Tab>
          ))}
        </Tabs>
        <div className="mt-3">
          <CommandLine command={snippets[via].trimEnd()} />
        </div>
      </div>
    </Section>
  );
}

function Code({ children }: { children: string }) {
  return <code className="font-mono text-ink">{children}</code>;
}

/** Whether no job on another machine, or in a container, can ping it. */
function isOnlyHere(url: string): boolean {
  return URL.canParse(url) && /^(?:localhost|127\..*|\[::1\])$/.test(new URL(url).hostname);
}
