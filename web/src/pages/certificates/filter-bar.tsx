import { getRouteApi } from "@tanstack/react-router";
import type { CertificateRecord } from "../../../../src/monitoring/certificates/answers.ts";
import { SOURCE_WORDS, CERTIFICATE_WORDS } from "../../format/certificate-status.ts";
import { CheckFilter, ChoiceFilter } from "../../ui/filter-menus.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { CERTIFICATE_SOURCES, CERTIFICATE_STATUSES } from "../../../../src/contract/certificate.ts";
import type { CertificateFilter } from "../../entities/certificates/search.ts";

const route = getRouteApi("/certificates");

/** What narrows the list. All of it stands in the address. */
export function FilterBar({ certificates }: { certificates: readonly CertificateRecord[] }) {
  const { status, source, q = "" } = route.useSearch();
  const navigate = route.useNavigate();

  // Typing replaces the address, choosing adds to the way back.
  function narrow(change: CertificateFilter, replace = false): void {
    void navigate({ search: (search) => ({ ...search, ...change }), replace, resetScroll: replace });
  }

  return (
    <>
      <CheckFilter
        label="Status"
        values={status}
        choices={CERTIFICATE_STATUSES.map((value) => ({
          value,
          label: CERTIFICATE_WORDS[value].word,
          count: certificates.filter((certificate) => certificate.status === value).length,
        }))}
        onChange={(next) => narrow({ status: next })}
      />
      <ChoiceFilter
        label="Source"
        align="end"
        value={source}
        word={source && SOURCE_WORDS[source].toLowerCase()}
        choices={CERTIFICATE_SOURCES.map((value) => ({ value, label: SOURCE_WORDS[value] }))}
        onChange={(next) => narrow({ source: next })}
      />
      <SearchField
        label="Filter"
        placeholder="Domain or issuer"
        value={q}
        onChange={(text) => narrow({ q: text === "" ? undefined : text }, true)}
        pageFilter
        className="w-52 max-sm:w-auto max-sm:min-w-28 max-sm:flex-1"
      />
    </>
  );
}
