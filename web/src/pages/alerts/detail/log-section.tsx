import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { AlertCaseRecord } from "../../../../../src/publishing/overview/case/api.ts";
import { logContextQuery } from "../../../api/logs.ts";
import { AnsiText } from "../../../logs/ansi-text.tsx";
import { Section } from "../../../ui/section.tsx";

/** The log that was kept before the end; else the lines around the moment, as the log has them now. */
export function LogSection({ known: { container, logs, moment } }: { known: AlertCaseRecord }) {
  const [kept] = logs;
  const { data: around } = useQuery({
    ...logContextQuery({ container_id: container?.id ?? 0, timestamp: moment }),
    enabled: container !== null && kept === undefined,
  });
  const lines = kept?.lines ?? around?.map(({ text }) => text) ?? [];
  if (lines.length === 0) return null;
  return (
    <Section
      title={kept === undefined ? "Log around it" : "Log before it ended"}
      aside={
        container !== null && (
          <Link
            to="/containers/$id"
            params={{ id: container.id }}
            search={{ tab: "logs", at: moment }}
            className="hover:text-ink hover:underline"
          >
            Open log at this time
          </Link>
        )
      }
    >
      <pre
        tabIndex={0}
        aria-label="Log lines"
        className="mt-3 max-h-80 overflow-auto rounded border border-line bg-sunken px-3 py-2 font-mono text-xs leading-5 wrap-anywhere whitespace-pre-wrap [font-variant-ligatures:none] [tab-size:4]"
      >
        {lines.map((line, index) => (
          <div key={index} className="min-h-5">
            <AnsiText line={line} />
          </div>
        ))}
      </pre>
    </Section>
  );
}
