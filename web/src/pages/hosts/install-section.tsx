import { getRouteApi } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import type { CreatedToken } from "../../../../src/fleet/enrollment/answers.ts";
import { CommandLine } from "../../ui/command-line.tsx";
import { Section } from "../../ui/section.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { Tab, Tabs } from "../../ui/tabs.tsx";
import { INSTALL_METHODS, type InstallMethod } from "../../../../src/contract/agent.ts";
import { snippetWarnings } from "./words.ts";

const route = getRouteApi("/hosts/new");

const METHOD_NAMES: Readonly<Record<InstallMethod, { name: string; todo: string }>> = {
  docker_run: { name: "docker run", todo: "Run this in a shell on the host." },
  docker_compose: { name: "Docker Compose", todo: "Save this as compose.yaml on the host and start it as its first lines say." },
  kubernetes: { name: "Kubernetes", todo: "Save this as binnacle-agent.yaml, and apply it as its first lines say." },
  standalone: { name: "Without containers", todo: "" },
};

/** What to run on the host, with the token in it. */
export function InstallSection({ created }: { created: CreatedToken }) {
  const { token, server_url, install_templates } = created;
  const { way: chosen = "docker_run" } = route.useSearch();
  const { todo } = METHOD_NAMES[chosen];
  // The form that had the focus is gone: the keyboard continues here.
  const first = useRef<HTMLParagraphElement>(null);
  useEffect(() => first.current?.focus({ preventScroll: true }), []);
  return (
    <>
      <p ref={first} tabIndex={-1} className="mt-5 max-w-[80ch] outline-none">
        <span className="font-[550]">Copy it now: the token is not shown again.</span>{" "}
        <span className="text-ink-2">
          The agent connects to <code className="font-mono text-xs wrap-anywhere text-ink">{server_url}</code>.
        </span>
      </p>
      {snippetWarnings(created).map(({ what, todo: remedy }) => (
        <div key={what} role="note" className="mt-3 flex max-w-[80ch] gap-3 rounded border border-line bg-degraded-soft px-4 py-3">
          <StatusIcon status="degraded" className="mt-1" />
          <div className="min-w-0">
            <p className="font-[550]">{what}</p>
            <p>{remedy}</p>
          </div>
        </div>
      ))}
      <div className="mt-4">
        <Tabs label="Ways to start the agent">
          {INSTALL_METHODS.map((way) => (
            <Tab
              key={way}
              to="/hosts/new"
              search={(search) => ({ ...search, way })}
              replace
              resetScroll={false}
              activeOptions={{ exact: true }}
              current={chosen === way}
            >
              <span className="whitespace-nowrap">{METHOD_NAMES[way].name}</span>
            </Tab>
          ))}
        </Tabs>
        {chosen === "standalone" ? (
          <p className="max-w-[68ch] py-4 text-ink-2">{install_templates.standalone.trim()}</p>
        ) : (
          <div className="mt-3 flex flex-col gap-2">
            <p className="text-ink-2">{todo}</p>
            <div className="max-h-[26rem] overflow-y-auto">
              <CommandLine command={install_templates[chosen].trimEnd()} />
            </div>
          </div>
        )}
      </div>
      <Section title="The token alone">
        <div className="flex flex-col gap-2 pt-3">
          <p className="max-w-[72ch] text-ink-2">For other ways to start the agent: set it as SERVICE_ENROLLMENT_TOKEN.</p>
          <CommandLine command={token} />
        </div>
      </Section>
    </>
  );
}
