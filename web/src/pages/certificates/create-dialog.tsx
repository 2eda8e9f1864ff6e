import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import type { CertificateDetail } from "../../../../src/monitoring/certificates/answers.ts";
import { createCertificate, type CertificateInput } from "../../api/certificate-queries.ts";
import { CERTIFICATE_WORDS } from "../../format/certificate-status.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { DaysLeft } from "../../ui/days-left.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { ErrorNote } from "../../ui/error-note.tsx";
import { TextField } from "../../ui/field.tsx";
import { areShownAtFields, serverFaults } from "../../ui/forms/server-faults.ts";
import { StatusIcon } from "../../ui/status-icon.tsx";
import { addressOf } from "../../entities/certificates/address.ts";
import { CERTIFICATE_FIELDS, NEW_CERTIFICATE, readDraft } from "./draft.ts";

/** Creates a certificate monitor; the result of its first check is shown at once. */
export function CreateDialog({ onClose }: { onClose: () => void }) {
  const queryClient = useQueryClient();
  const first = useRef<HTMLInputElement>(null);
  const [draft, setDraft] = useState(NEW_CERTIFICATE);
  const [showsFaults, setShowsFaults] = useState(false);
  const mutation = useMutation({
    mutationFn: (body: CertificateInput) => createCertificate(body),
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ["certificates"] }),
  });
  if (mutation.data !== undefined) return <Result detail={mutation.data} onClose={onClose} />;

  const read = readDraft(draft);
  const theirs = serverFaults(mutation.error);
  const faults: Record<string, string | undefined> = { ...(showsFaults && "faults" in read && read.faults), ...theirs };
  const change = (part: Partial<typeof draft>): void => {
    setDraft((current) => ({ ...current, ...part }));
    if (mutation.isError) mutation.reset();
  };

  return (
    <Dialog open onClose={onClose} title="Add certificate" initialFocus={first} guardsInput>
      <form
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setShowsFaults(true);
          if ("body" in read && !mutation.isPending) mutation.mutate(read.body);
        }}
      >
        <div className="grid grid-cols-[minmax(0,1fr)_6rem] gap-x-4">
          <TextField
            label="Host"
            isRequired
            hint="Host name or IP address."
            fault={faults["domain"]}
            ref={first}
            placeholder="mail.example.com"
            value={draft.domain}
            onChange={(domain) => change({ domain })}
          />
          <TextField
            label="Port"
            isRequired
            fault={faults["port"]}
            inputMode="numeric"
            value={draft.port}
            onChange={(port) => change({ port })}
          />
        </div>
        <div className="h-2.5" />
        <TextField
          label="Server name"
          hint="The name the certificate must match. Defaults to the host."
          fault={faults["server_name"]}
          value={draft.serverName}
          onChange={(serverName) => change({ serverName })}
        />
        {mutation.isError && !areShownAtFields(theirs, CERTIFICATE_FIELDS) && (
          <ErrorNote what="The certificate was not added." error={mutation.error}>
            Your input is kept.
          </ErrorNote>
        )}
        <div className="mt-3 flex items-center gap-2">
          <Button type="submit" kind="primary" disabled={mutation.isPending}>
            {mutation.isPending ? "Connecting" : "Add and check"}
          </Button>
          <Button kind="quiet" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function Result({ detail: { certificate }, onClose }: { detail: CertificateDetail; onClose: () => void }) {
  const { status, word } = CERTIFICATE_WORDS[certificate.status];
  return (
    <Dialog open onClose={onClose} title={addressOf(certificate)}>
      <div role="status" className="flex flex-col gap-2">
        <p className="flex items-center gap-2 text-lg font-[550]">
          <StatusIcon status={status} />
          {word}
        </p>
        {certificate.days_until_expiry !== null && (
          <DaysLeft days={certificate.days_until_expiry} isLow={certificate.status === "expiring"} />
        )}
        <p dir="auto" className="wrap-anywhere text-ink-2">
          {certificate.message ?? (certificate.issuer === null ? "The first check is still running." : `Issued by ${certificate.issuer}.`)}
        </p>
      </div>
      <div className="mt-4 flex gap-2">
        <Link to="/certificates/$id" params={{ id: certificate.id }} search={{}} className={buttonClass("primary")}>
          Show details
        </Link>
        <Button onClick={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
