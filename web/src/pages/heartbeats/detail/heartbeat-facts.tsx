import type { HeartbeatRecord } from "../../../../../src/monitoring/heartbeats/answers.ts";
import { explainExitCode } from "../../../format/exit-code.ts";
import { formatDuration } from "../../../format/duration.ts";
import { cronWords, scheduleWords, secondsWords } from "../../../format/schedule.ts";
import { Age } from "../../../ui/age.tsx";
import { Changed } from "../../../ui/changed.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";
import { ExpectedTime } from "../../../entities/heartbeats/expected-time.tsx";

/** What is asked of a job, and what it last did. */
export function HeartbeatFacts({ heartbeat }: { heartbeat: HeartbeatRecord }) {
  return (
    <div className="mt-4 grid grid-cols-[minmax(0,1fr)] items-start gap-x-10 border-t border-line pt-2 lg:grid-cols-[repeat(2,minmax(0,1fr))]">
      <Facts>
        <Fact name="Schedule">
          {scheduleWords(heartbeat)}
          {heartbeat.cron !== null && cronWords(heartbeat.cron) !== heartbeat.cron && (
            <code className="ml-2 inline-block font-mono text-xs whitespace-nowrap text-ink-2">{heartbeat.cron}</code>
          )}
        </Fact>
        <Fact name="Grace">{secondsWords(heartbeat.grace_seconds)}</Fact>
        <Fact name="Max runtime">
          {heartbeat.max_runtime_seconds === null ? <Quiet>no limit</Quiet> : secondsWords(heartbeat.max_runtime_seconds)}
        </Fact>
        {heartbeat.key !== null && <Fact name="Bulk key">{heartbeat.key}</Fact>}
        <Fact name="Created">
          <Timestamp at={heartbeat.created_at} precision="minute" />
        </Fact>
      </Facts>
      <Facts>
        <Fact name="Next expected">
          {heartbeat.next_expected_at === null ? <Quiet>{notExpected(heartbeat)}</Quiet> : <ExpectedTime record={heartbeat} />}
        </Fact>
        <Fact name="Last ping">
          <Changed value={heartbeat.last_ping_at}>
            {heartbeat.last_ping_at === null ? (
              <Quiet>none yet</Quiet>
            ) : (
              <>
                <Timestamp at={heartbeat.last_ping_at} />
                <span className="text-ink-2">
                  , <Age at={heartbeat.last_ping_at} form="ago" />
                </span>
              </>
            )}
          </Changed>
        </Fact>
        <Fact name="Last run took">
          <Changed value={heartbeat.last_duration_ms} className="tabular-nums">
            {heartbeat.last_duration_ms === null ? (
              <Quiet>{heartbeat.recent_outcomes.length === 0 ? "none yet" : "unknown: start not reported"}</Quiet>
            ) : (
              formatDuration(heartbeat.last_duration_ms)
            )}
          </Changed>
        </Fact>
        <Fact name="Last exit code">
          <ExitCode code={heartbeat.last_exit_code} />
        </Fact>
      </Facts>
    </div>
  );
}

function ExitCode({ code }: { code: number | null }) {
  if (code === null) return <Quiet>not reported</Quiet>;
  const meaning = code === 0 ? "success" : explainExitCode(code);
  return (
    <>
      <span className="tabular-nums">{code}</span>
      {meaning !== undefined && <span className="text-ink-2"> {meaning}</span>}
    </>
  );
}

function notExpected({ status }: HeartbeatRecord): string {
  if (status === "paused") return "paused";
  return status === "new" ? "after the first ping" : "after it reports again";
}

function Quiet({ children }: { children: string }) {
  return <span className="text-ink-2">{children}</span>;
}
