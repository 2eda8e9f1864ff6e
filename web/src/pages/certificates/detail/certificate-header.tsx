import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { CertificateRecord } from "../../../../../src/monitoring/certificates/answers.ts";
import { certificateQuery, checkCertificateNow, deleteCertificate } from "../../../api/certificate-queries.ts";
import { Breadcrumb } from "../../../app/breadcrumb.tsx";
import { CERTIFICATE_WORDS } from "../../../format/certificate-status.ts";
import { lastKnown } from "../../../format/last-known.ts";
import { useLostSince } from "../../../app/hosts.ts";
import { useIsUnseen } from "../../../app/sight.ts";
import { HostLost } from "../../../entities/hosts/host-lost.tsx";
import { withLocalTimes } from "../../../format/time.ts";
import { Age } from "../../../ui/age.tsx";
import { Button } from "../../../ui/button.tsx";
import { Changed } from "../../../ui/changed.tsx";
import { ConfirmButton } from "../../../ui/confirm-dialog.tsx";
import { DaysLeft } from "../../../ui/days-left.tsx";
import { ErrorNote } from "../../../ui/error-note.tsx";
import { StatusIcon } from "../../../ui/status-icon.tsx";
import { addressOf } from "../../../entities/certificates/address.ts";

/** Whose certificate it is, how it is and what is wrong, and what can be done. */
export function CertificateHeader({ certificate }: { certificate: CertificateRecord }) {
  const lostSince = useLostSince(certificate);
  const current = CERTIFICATE_WORDS[certificate.status];
  const { status, word } = useIsUnseen()("certificate", certificate.agent_id) ? lastKnown(current) : current;
  return (
    <header>
      <Breadcrumb to="/certificates">Certificates</Breadcrumb>
      <div className="mt-1 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <h1 className="min-w-0 text-[19px] leading-[26px] font-[620] tracking-[-0.012em] wrap-anywhere sm:text-xl">
          <bdi>{addressOf(certificate)}</bdi>
        </h1>
        <Changed value={certificate.status} className="inline-flex items-center gap-2">
          <StatusIcon status={status} />
          {word}
        </Changed>
        <DaysLeft days={certificate.days_until_expiry} isLow={certificate.status === "expiring"} className="self-center" />
        <HostLost since={lostSince} record={certificate} />
      </div>
      <p dir="auto" className="mt-1.5 min-h-5 max-w-[100ch] wrap-anywhere">
        {withLocalTimes(certificate.message ?? NOTHING_WRONG[certificate.status] ?? "")}
      </p>
      <Actions certificate={certificate} />
    </header>
  );
}

const NOTHING_WRONG: Partial<Record<CertificateRecord["status"], string>> = {
  valid: "Trusted, issued for this host, and every certificate in the chain is within its dates.",
  unknown: "Not checked yet. The first check runs within seconds.",
};

function Actions({ certificate }: { certificate: CertificateRecord }) {
  const { id, source } = certificate;
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const check = useMutation({
    mutationFn: () => checkCertificateNow(id),
    onSuccess(detail) {
      queryClient.setQueryData(certificateQuery(id).queryKey, detail);
      void queryClient.invalidateQueries({ queryKey: ["certificate", id, "checks"] });
      void queryClient.invalidateQueries({ queryKey: ["certificates"] });
    },
  });
  const removal = useMutation({
    mutationFn: () => deleteCertificate(id),
    async onSuccess() {
      await navigate({ to: "/certificates", replace: true });
      queryClient.removeQueries({ queryKey: ["certificate", id] });
      void queryClient.invalidateQueries({ queryKey: ["certificates"] });
    },
  });
  return (
    <>
      <div className="mt-3 flex min-h-8 flex-wrap items-center gap-2">
        {/* What an agent watches is checked by that alone, every minute. */}
        {certificate.agent_id === null && (
          <Button disabled={check.isPending} onClick={() => check.mutate()}>
            {check.isPending ? "Checking" : "Check now"}
          </Button>
        )}
        {source === "standalone" && (
          <ConfirmButton
            label="Delete"
            title={`Delete ${addressOf(certificate)}?`}
            action="Delete certificate"
            mutation={removal}
            failure="It was not deleted."
          >
            <p>Stops monitoring and deletes the history. This cannot be undone. The certificate itself is not touched.</p>
          </ConfirmButton>
        )}
        <span role="status" className="text-sm text-ink-2">
          {certificate.last_check_at !== null && (
            <>
              Last checked <Age at={certificate.last_check_at} form="ago" />
            </>
          )}
        </span>
      </div>
      {check.isError && <ErrorNote what="It was not checked." error={check.error} />}
    </>
  );
}
