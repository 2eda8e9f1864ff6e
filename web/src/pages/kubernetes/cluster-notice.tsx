import { EyeOff, Unplug } from "lucide-react";
import type { ClusterRecord } from "../../../../src/monitoring/kubernetes/answers.ts";
import { hostId } from "../../app/host-id.ts";
import { useHostName } from "../../app/hosts.ts";
import { countOf } from "../../format/number.ts";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { Summary } from "../../ui/summary.tsx";
import { Timestamp } from "../../ui/timestamp.tsx";
import { hostNotes, useClusterName } from "../../entities/kubernetes/cluster-words.ts";

type ObjectKind = ClusterRecord["unseen"][number]["kind"];

interface Properties {
  cluster: ClusterRecord;
  /** Where there are several. */
  withName: boolean;
  /** What the page shows: there it is explained in full why it is not visible. */
  shows: readonly ObjectKind[];
}

/** Shows that a cluster is not seen, since when and why, what is wrong with it as a whole, and what its host may not see. Otherwise empty. */
export function ClusterNotice({ cluster, withName, shows }: Properties) {
  const nameOf = useClusterName();
  const name = withName ? nameOf(cluster) : undefined;
  return (
    <>
      <Outage cluster={cluster} name={name} />
      <Unseen cluster={cluster} name={name} shows={shows} />
    </>
  );
}

function Outage({ cluster, name }: { cluster: ClusterRecord; name: string | undefined }) {
  const { observed, observed_at: observedAt, reason, problems } = cluster;
  if (observed && problems.length === 0) return null;
  return (
    <div role="status" className="mt-4 flex gap-3 border-l-2 border-degraded bg-degraded-soft px-3 py-2.5">
      {observed ? <StatusIcon status="degraded" className="mt-1 shrink-0" /> : <Unplug size={16} aria-hidden className="mt-0.5 shrink-0" />}
      <div className="min-w-0 wrap-anywhere">
        {!observed && (
          <p className="font-[550]">
            Shown as last seen <Timestamp at={observedAt} />
            {name !== undefined && (
              <>
                {" "}
                by <bdi>{name}</bdi>
              </>
            )}
          </p>
        )}
        {!observed && reason !== null && <p className="text-ink-2">{reason}</p>}
        {problems.map(({ alert, message, cause }) => (
          <p key={alert}>
            {message} {cause !== null && cause !== reason && <span className="text-ink-2">{cause}</span>}
          </p>
        ))}
      </div>
    </div>
  );
}

/** Kinds that may not be read, each with the rule that would give it, and hosts that see nothing. It is no fault of the cluster, so it is shown in grey, and opened by who asks. */
function Unseen({ cluster, name, shows }: { cluster: ClusterRecord; name: string | undefined; shows: readonly ObjectKind[] }) {
  const hostName = useHostName();
  const notes = hostNotes(cluster).map(({ host, words }) => ({ key: hostId(host), words: `${hostName(hostId(host))} ${words}` }));
  const { unseen } = cluster;
  if (unseen.length === 0 && notes.length === 0) return null;
  return (
    <div className="mt-4 flex gap-3 border-l-2 border-line-strong bg-sunken px-3 py-2 text-sm text-ink-2">
      <EyeOff size={14} aria-hidden className="mt-1 shrink-0" />
      <div className="min-w-0 flex-1 wrap-anywhere">
        {unseen.length > 0 && (
          <details open={unseen.some(({ kind }) => shows.includes(kind)) || undefined}>
            <Summary>
              <span className="min-w-0">
                {name !== undefined && <bdi>{name}: </bdi>}
                {countOf(unseen.length, "kind of object", "kinds of objects")} not visible: {unseen.map(({ kind }) => kind).join(", ")}
              </span>
            </Summary>
            <dl className="mt-2 grid gap-x-4 gap-y-1 sm:grid-cols-[auto_minmax(0,1fr)]">
              {unseen.map(({ kind, reason }) => (
                <div key={kind} className="contents">
                  <dt className="text-ink capitalize">{kind}</dt>
                  <dd className="max-sm:mb-1">{reason}</dd>
                </div>
              ))}
            </dl>
          </details>
        )}
        {notes.map(({ key, words }) => (
          <p key={key}>
            <bdi>{words}</bdi>
          </p>
        ))}
      </div>
    </div>
  );
}
