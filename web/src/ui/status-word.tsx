import { ageSeparator } from "../format/container-status.ts";
import type { ContainerStatus } from "../format/status-facts.ts";
import { Age } from "./age.tsx";
import { classNames } from "./class-names.ts";
import { StatusIcon } from "./status-icon.tsx";

/** A status with its shape, word and cause, and with `withAge` since when: `Completed · exit 0, 22 h ago`. */
export function StatusWord({
  status: shown,
  withAge = false,
  className,
}: {
  status: ContainerStatus;
  withAge?: boolean;
  className?: string;
}) {
  const { status, word, cause, since } = shown;
  const words = cause === undefined ? word : `${word} · ${cause}`;
  return (
    <span className={classNames("inline-flex min-w-0 items-center gap-2", className)}>
      <StatusIcon status={status} />
      <span dir="auto" title={words} className="truncate">
        {words}
        {withAge && since !== undefined && (
          <>
            {ageSeparator(cause, since)}
            <Age at={since.at} form={since.form} />
          </>
        )}
      </span>
    </span>
  );
}
