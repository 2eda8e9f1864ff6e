import type { CertificateCheckRecord } from "../../../../../src/monitoring/certificates/answers.ts";
import { formatDay } from "../../../format/time.ts";
import { classNames } from "../../../ui/class-names.ts";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { useNow } from "../../../ui/ticker.tsx";
import { chainLinks, type ChainPart } from "./chain-links.ts";

/** The chain drawn from the host's own certificate to the root, with the link that does not hold marked. */
export function Chain({ check }: { check: CertificateCheckRecord }) {
  return (
    <ol aria-label="Chain" className="pt-4">
      {chainLinks(check).map((part) => (
        <Part key={part.position} part={part} />
      ))}
    </ol>
  );
}

function Part({ part: { role, name, issuer, notBefore, expiresAt, error, isLast, isLinkBroken, isMissing } }: { part: ChainPart }) {
  const dates = useNow((nowMs) =>
    notBefore === null || expiresAt === null ? "" : `${formatDay(new Date(notBefore), nowMs)} to ${formatDay(new Date(expiresAt), nowMs)}`,
  );
  return (
    <li className="relative grid grid-cols-[16px_minmax(0,1fr)] gap-x-3 pb-5 last:pb-2">
      {!isLast && (
        <span
          aria-hidden
          className={classNames(
            "absolute top-5 bottom-0 left-[7px] border-l-2",
            isLinkBroken ? "border-dashed border-down" : "border-line-strong",
          )}
        />
      )}
      <span className="flex h-5 w-4 items-center justify-center">
        <StatusIcon status={error === null ? (isMissing ? "idle" : "ok") : "down"} />
      </span>
      <div className="min-w-0">
        <p className="text-xs text-ink-2">{role}</p>
        <p className="font-[550] wrap-anywhere">
          <bdi>{name}</bdi>
        </p>
        {error !== null && (
          <p dir="auto" className="text-sm wrap-anywhere text-down">
            {error}
          </p>
        )}
        <p className="text-xs wrap-anywhere text-ink-2 tabular-nums">
          {dates}
          {issuer !== null && dates !== "" && " · "}
          {issuer !== null && (
            <>
              issued by <bdi>{issuer}</bdi>
            </>
          )}
        </p>
      </div>
    </li>
  );
}
