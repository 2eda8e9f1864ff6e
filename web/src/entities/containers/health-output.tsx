import type { HealthFailureRecord } from "../../../../src/monitoring/containers/answers.ts";
import { explainExitCode } from "../../format/exit-code.ts";
import { LogBlock } from "../../logs/log-block.tsx";
import { Section } from "../../ui/section.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";

type HealthFailure = NonNullable<HealthFailureRecord>;

/** What the health check of a container printed when the container turned unhealthy, as a part of a page. */
export function HealthSection({ failure }: { failure: HealthFailure }) {
  return (
    <Section title="Health check output" aside={<Ending failure={failure} />}>
      <div className="mt-3">
        <Output failure={failure} />
      </div>
    </Section>
  );
}

/** The same below something else. */
export function HealthOutput({ failure }: { failure: HealthFailure }) {
  return (
    <>
      <p className="pb-2 text-xs text-ink-2">
        <Ending failure={failure} />
      </p>
      <Output failure={failure} />
    </>
  );
}

function Output({ failure: { output } }: { failure: HealthFailure }) {
  if (output === "") return <p className="text-ink-2">It printed nothing.</p>;
  return <LogBlock lines={output.split("\n")} label="Health check output" />;
}

function Ending({ failure: { exit_code: code, ended_at: at } }: { failure: HealthFailure }) {
  const reason = explainExitCode(code);
  return (
    <>
      {code < 0 ? "Did not finish" : `Exit code ${code}${reason === undefined ? "" : `, ${reason}`}`}, <Timestamp at={at} />
    </>
  );
}
