import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { AlertCaseRecord } from "../../../../../src/publishing/overview/answers.ts";
import { logContextQuery } from "../../../api/logs.ts";
import { LogBlock } from "../../../logs/log-block.tsx";
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
      title={kept === undefined ? "Log around the alert" : "Log before it ended"}
      aside={
        container !== null && (
          <Link
            to="/containers/$id"
            params={{ id: container.id }}
            search={{ tab: "logs", log_at: moment }}
            className="hover:text-ink hover:underline"
          >
            Open log at this time
          </Link>
        )
      }
    >
      <div className="mt-3">
        <LogBlock lines={lines} label="Log lines" />
      </div>
    </Section>
  );
}
