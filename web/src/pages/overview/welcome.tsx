import { Link } from "@tanstack/react-router";
import { HOUR_MS } from "../../../../src/contract/time.ts";
import type { ContainerList } from "../../../../src/monitoring/containers/answers.ts";
import { usePreference } from "../../app/preference.ts";
import { usePreferences } from "../../app/preferences.ts";
import { hostId } from "../../app/host-id.ts";
import { countOf } from "../../format/number.ts";
import { Button } from "../../ui/button.tsx";
import { CommandLine } from "../../ui/command-line.tsx";
import { Section } from "../../ui/section.tsx";
import { useNow } from "../../ui/ticker.tsx";

/** On the first run: what was found, and what to do next. Shown for an hour, or until it is dismissed. */
export function Welcome({ groups }: { groups: ContainerList["groups"] }) {
  const { welcome } = usePreferences();
  const dismissed = usePreference(welcome) === "dismissed";
  const hosts = new Set(groups.flatMap((group) => group.containers.map(hostId))).size;
  const containers = groups.flatMap((group) => group.containers);
  const firstSeen = containers.reduce((first, { first_seen_at: at }) => (at < first ? at : first), "9");
  const isFirstRun = useNow((nowMs) => (nowMs - Date.parse(firstSeen) < HOUR_MS ? 1 : 0)) === 1;
  if (dismissed || !isFirstRun) return null;

  return (
    <Section
      title="First steps"
      aside={
        <Button kind="quiet" className="-mr-2.5 h-6! text-xs" onClick={() => welcome.set("dismissed")}>
          Dismiss
        </Button>
      }
    >
      <p className="pt-3">
        Found {countOf(containers.length, "container")} in {countOf(groups.length, "group")} on{" "}
        {hosts > 1 ? countOf(hosts, "host") : "this host"}. From now on Binnacle records every change: state, health, restarts and the last
        log lines before an exit.
      </p>
      <ol className="mt-4 grid gap-x-8 gap-y-5 lg:grid-cols-3">
        <Step number={1} title="Look around">
          <p>
            The <TextLink to="/containers">list of containers</TextLink> updates live. Press <b className="font-medium text-ink">?</b> for
            keyboard shortcuts.
          </p>
        </Step>
        <Step number={2} title="Group containers">
          <p>Groups come from Compose projects. Set another group with a label:</p>
          <CommandLine command="service.group=shop" />
        </Step>
        <Step number={3} title="Ignore containers">
          <p>Exclude a container with a label:</p>
          <CommandLine command="service.ignore=true" />
        </Step>
      </ol>
    </Section>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: React.ReactNode }) {
  return (
    <li className="grid min-w-0 grid-cols-[20px_minmax(0,1fr)] gap-x-2">
      <span className="text-ink-3 tabular-nums">{number}</span>
      <div className="flex flex-col gap-2 text-ink-2">
        <h3 className="font-[550] text-ink">{title}</h3>
        {children}
      </div>
    </li>
  );
}

function TextLink({ to, children }: { to: "/containers"; children: React.ReactNode }) {
  return (
    <Link to={to} className="text-accent underline underline-offset-2">
      {children}
    </Link>
  );
}
