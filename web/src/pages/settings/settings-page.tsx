import { useQuery } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { healthQuery, runtimeStatusQuery } from "../../api/queries.ts";
import { usePreference } from "../../app/preference.ts";
import { usePreferences } from "../../app/preferences.ts";
import { THEMES } from "../../app/theme-switch.tsx";
import { useTitle } from "../../app/use-title.ts";
import { runtimeText } from "../../format/runtime-name.ts";
import { Button } from "../../ui/button.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { Fact, Facts } from "../../ui/facts.tsx";
import { Section } from "../../ui/section.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { EditionSection } from "./edition-section.tsx";
import { SessionSection } from "./session-section.tsx";
import { SettingsFrame } from "./settings-frame.tsx";
import { StorageSection } from "./storage-section.tsx";

/** What this installation is, and how it looks in this browser. */
export function SettingsPage() {
  useTitle("Settings");
  return (
    <SettingsFrame>
      <Appearance />
      <About />
      <SessionSection />
      <StorageSection />
      <EditionSection />
      <Section title="API">
        <p className="py-3 text-ink-2">
          Everything in this app is available through the HTTP API.{" "}
          <a href="/api/v1/openapi.json" className="inline-flex items-center gap-1 text-accent underline underline-offset-2">
            API reference (OpenAPI 3.1) <ExternalLink size={12} aria-hidden />
          </a>
        </p>
      </Section>
    </SettingsFrame>
  );
}

function Appearance() {
  const { theme } = usePreferences();
  const chosen = usePreference(theme);
  return (
    <Section title="Appearance">
      <div role="group" aria-label="Theme" className="flex flex-wrap gap-2 py-3">
        {THEMES.map(({ value, name, icon: Icon }) => (
          <Button key={value} pressed={value === chosen} onClick={() => theme.set(value)}>
            <Icon size={14} aria-hidden /> {name}
          </Button>
        ))}
      </div>
    </Section>
  );
}

function About() {
  const health = useQuery(healthQuery);
  const runtime = useQuery(runtimeStatusQuery);
  return (
    <Section title="About">
      {health.error !== null && (
        <ErrorNote what="Could not load the server state." error={health.error} onRetry={() => void health.refetch()} />
      )}
      <Facts>
        <Fact name="Version">{health.data?.version ?? <Waiting />}</Fact>
        <Fact name="Storage">
          {health.data === undefined ? (
            <Waiting />
          ) : (
            <Connection
              name={ENGINES[health.data.storage.engine] ?? health.data.storage.engine}
              connected={health.data.storage.connected}
            />
          )}
        </Fact>
        <Fact name="Runtime">
          {runtime.data === undefined ? (
            <Waiting />
          ) : (
            <>
              <Connection name={runtimeText(runtime.data.runtime, runtime.data.version)} connected={runtime.data.connected} />
              {[runtime.data.error, ...runtime.data.missing].map(
                (sentence) =>
                  sentence !== null && (
                    <p key={sentence} dir="auto" className="mt-1 text-ink-2">
                      {sentence}
                    </p>
                  ),
              )}
            </>
          )}
        </Fact>
        <Fact name="Licence">Apache-2.0. No telemetry: nothing is sent anywhere.</Fact>
      </Facts>
    </Section>
  );
}

const ENGINES: Readonly<Record<string, string>> = { sqlite: "SQLite", postgres: "PostgreSQL", postgresql: "PostgreSQL" };

function Connection({ name, connected }: { name: string; connected: boolean }) {
  return (
    <span className="flex items-center gap-2">
      <StatusIcon status={connected ? "ok" : "down"} />
      {name.trim()} · {connected ? "connected" : "not reachable"}
    </span>
  );
}

function Waiting() {
  return <Skeleton className="h-5 w-36" />;
}
