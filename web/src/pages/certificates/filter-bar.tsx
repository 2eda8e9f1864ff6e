import { getRouteApi } from "@tanstack/react-router";
import type { CertificateRecord } from "../../../../src/monitoring/certificates/answers.ts";
import { SOURCE_WORDS, CERTIFICATE_WORDS } from "../../format/certificate-status.ts";
import { checkRows, choiceRows } from "../../ui/menu-rows.ts";
import { Menu, MenuButton } from "../../ui/menu.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import { statusWords } from "../../entities/certificates/filter.ts";
import { CERTIFICATE_SOURCES, CERTIFICATE_STATUSES } from "../../../../src/contract/certificate.ts";
import type { CertificateFilter } from "../../entities/certificates/search.ts";

const route = getRouteApi("/certificates");
const ANY = "";

/** What narrows the list. All of it stands in the address. */
export function FilterBar({ certificates }: { certificates: readonly CertificateRecord[] }) {
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const statuses = filter.status ?? [];

  // Typing replaces the address, choosing adds to the way back.
  function narrow(change: CertificateFilter, replace = false): void {
    void navigate({ search: (search) => ({ ...search, ...change }), replace, resetScroll: replace });
  }

  const choices = CERTIFICATE_STATUSES.map((status) => ({
    value: status,
    label: CERTIFICATE_WORDS[status].word,
    count: certificates.filter((certificate) => certificate.status === status).length,
  })).filter(({ value, count }) => count > 0 || statuses.includes(value));

  return (
    <>
      <Menu
        align="end"
        trigger={
          <MenuButton label="Status" active={statuses.length > 0}>
            {statusWords(statuses)}
          </MenuButton>
        }
        rows={checkRows(statuses, choices, (status) => narrow({ status: status.length > 0 ? status : undefined }))}
      />
      <Menu
        align="end"
        trigger={
          <MenuButton label="Source" active={filter.source !== undefined}>
            {filter.source === undefined ? "any" : SOURCE_WORDS[filter.source].toLowerCase()}
          </MenuButton>
        }
        rows={choiceRows<CertificateRecord["source"] | "">(
          filter.source ?? ANY,
          [{ value: ANY, label: "Any" }, ...CERTIFICATE_SOURCES.map((source) => ({ value: source, label: SOURCE_WORDS[source] }))],
          (source) => narrow({ source: source === ANY ? undefined : source }),
        )}
      />
      <SearchField
        label="Filter"
        placeholder="Domain or issuer"
        value={filter.q ?? ""}
        onChange={(q) => narrow({ q: q === "" ? undefined : q }, true)}
        pageFilter
        className="w-52 max-sm:w-auto max-sm:min-w-28 max-sm:flex-1"
      />
    </>
  );
}
