import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CircleArrowUp, ShieldHalf, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { securitySummaryQuery } from "../../api/security.ts";
import { updateSummaryQuery } from "../../api/updates.ts";
import { useChosenHost } from "../../app/hosts.ts";
import { countOf, formatCount } from "../../format/number.ts";
import { Section } from "../../ui/section.tsx";
import { FINDINGS } from "../../entities/security/words.ts";
import { overviewWords, totalsOf } from "../../entities/updates/words.ts";

/** Findings and updates: what could be better. Counted here, and never among outages. Its height is reserved. */
export function PostureSection() {
  const host = useChosenHost();
  const { data: security } = useQuery(securitySummaryQuery(host));
  const { data: updates } = useQuery(updateSummaryQuery(host));
  const findings = security?.unacknowledged;
  return (
    <Section title="Security and updates">
      <ul className="min-h-[72px]">
        {findings !== undefined && (
          <Row icon={ShieldHalf}>
            {findings.total === 0 ? (
              <Link to="/security" className={LINK}>
                No open security findings
              </Link>
            ) : (
              <Link to="/security" search={{ acknowledged: "no" }} hash={FINDINGS} className={LINK}>
                {countOf(findings.total, "open security finding")}
              </Link>
            )}
            {findings.by_severity.critical > 0 && (
              <span className="text-ink-3"> · {formatCount(findings.by_severity.critical)} critical</span>
            )}
          </Row>
        )}
        {updates !== undefined && (
          <Row icon={CircleArrowUp}>
            <Link to="/updates" search={totalsOf(updates.counts).available === 0 ? {} : { status: "available" }} className={LINK}>
              {overviewWords(updates)}
            </Link>
          </Row>
        )}
      </ul>
    </Section>
  );
}

const LINK = "outline-none after:absolute after:inset-0 hover:text-ink";

function Row({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <li className="relative flex min-h-9 items-center gap-2 border-t max-md:min-h-10.5 border-line text-ink-2 first:border-t-0 hover:bg-hover has-[a:focus-visible]:outline-2 has-[a:focus-visible]:outline-accent">
      <Icon size={14} aria-hidden className="shrink-0 text-ink-3" />
      <span className="min-w-0 truncate tabular-nums">{children}</span>
    </li>
  );
}
