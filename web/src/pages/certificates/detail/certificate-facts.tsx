import { Link } from "@tanstack/react-router";
import type { CertificateCheckRecord, CertificateRecord } from "../../../../../src/monitoring/certificates/answers.ts";
import { SOURCE_WORDS } from "../../../format/certificate-status.ts";
import { CopyButton } from "../../../ui/copy-button.tsx";
import { Fact, Facts } from "../../../ui/facts.tsx";
import { Timestamp } from "../../../ui/timestamp.tsx";

const OCSP_WORDS = { good: "good", revoked: "revoked by the issuer", unknown: "unknown to the issuer" } as const;

/** What a certificate says of itself, and why it is watched. */
export function CertificateFacts({ certificate, check }: { certificate: CertificateRecord; check: CertificateCheckRecord | null }) {
  const { endpoint_id, container_id, source } = certificate;
  return (
    <Facts>
      <Fact name="Source">
        {endpoint_id !== null ? (
          <Link to="/endpoints/$id" params={{ id: endpoint_id }} className="underline underline-offset-2">
            {SOURCE_WORDS[source]}
          </Link>
        ) : container_id !== null ? (
          <Link to="/containers/$id" params={{ id: container_id }} search={{ tab: "checks" }} className="underline underline-offset-2">
            {SOURCE_WORDS[source]}
          </Link>
        ) : (
          SOURCE_WORDS[source]
        )}
      </Fact>
      {certificate.key !== null && <Fact name="Bulk key">{certificate.key}</Fact>}
      {check?.subject != null && <Fact name="Subject">{check.subject}</Fact>}
      {check?.issuer != null && <Fact name="Issuer">{check.issuer}</Fact>}
      {check?.not_before != null && check.expires_at !== null && (
        <Fact name="Valid">
          <Timestamp at={check.not_before} precision="minute" /> to <Timestamp at={check.expires_at} precision="minute" />
        </Fact>
      )}
      {check !== null && check.sans.length > 0 && (
        <Fact name="Names">
          <ul className="max-h-40 overflow-y-auto">
            {check.sans.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        </Fact>
      )}
      {check !== null && check.hostname_match !== null && (
        <Fact name="Host name">
          {check.hostname_match ? "is one of these names" : `${certificate.server_name} is not one of these names`}
        </Fact>
      )}
      {check?.key_type != null && (
        <Fact name="Key">
          {check.key_type}
          {check.signature_algorithm !== null && `, signed with ${check.signature_algorithm}`}
        </Fact>
      )}
      {check !== null && check.chain.length > 0 && (
        <Fact name="OCSP">{check.ocsp === null ? "no OCSP response stapled" : OCSP_WORDS[check.ocsp]}</Fact>
      )}
      {check?.serial_number != null && <Fact name="Serial number">{check.serial_number}</Fact>}
      {check?.fingerprint_sha256 != null && (
        <Fact name="SHA-256">
          <span className="flex items-start gap-1">
            <code className="min-w-0 font-mono text-xs leading-5 wrap-anywhere">{check.fingerprint_sha256}</code>
            <span className="-my-1.5">
              <CopyButton text={check.fingerprint_sha256} label="Copy fingerprint" />
            </span>
          </span>
        </Fact>
      )}
      <Fact name="Next check">
        <Timestamp at={certificate.next_check_at} precision="minute" />
      </Fact>
    </Facts>
  );
}
