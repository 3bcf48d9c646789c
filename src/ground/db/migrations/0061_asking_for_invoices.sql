-- What lists of invoices are narrowed to and ordered by: texts without case and accents, numbers in the order in which people
-- count them, and an index for each. Nothing here depends on the collation of the database, nor on an extension.

-- A text in lower case and without accents, for Latin letters: those of Western and Central Europe, and accents written as
-- characters of their own. Most texts have none of either, which is told by their bytes.
CREATE FUNCTION folded(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE WHEN octet_length(given) = length(given) THEN lower(given COLLATE "C")
       ELSE translate(lower(given COLLATE "C"),
         U&'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞàáâãäåçèéêëìíîïñòóôõöøùúûüýÿĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĖėĘęĚěĜĝĞğ'
         'ĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĲĴĵĶķĹĺĻļĽľĿŁłŃńŅņŇňŊŌōŎŏŐőŒŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŦŧŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽž'
         '\0300\0301\0302\0303\0304\0306\0307\0308\030a\030b\030c\0327\0328',
         'aaaaaaæceeeeiiiiðnoooooouuuuyþaaaaaaceeeeiiiinoooooouuuuyyaaaaaaccccccccddddeeeeeeeeeegggg'
         'gggghhhhiiiiiiiiiiĳjjkkllllllŀllnnnnnnŋooooooœrrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzz') END;

-- The words of a name, each with the environment before it: an index over all environments then leads to one's own.
CREATE FUNCTION name_words(environment_id integer, name text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  array_to_tsvector(ARRAY(SELECT environment_id || ' ' || word FROM regexp_split_to_table(folded(name), '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf]+') AS word
                           WHERE word <> ''));

-- A number so that F-2026-9 comes before F-2026-10. What another system issued keeps the order of its letters.
CREATE FUNCTION number_key(number text, series_number integer) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  CASE WHEN series_number IS NULL THEN number
       ELSE left(number, -length(series_number::text)) || lpad(series_number::text, 10, '0') END;

CREATE INDEX "invoice_environment_id_type_issued_at_id_idx" ON "invoice"("environment_id", "type", "issued_at" DESC, "id" DESC);
CREATE INDEX "invoice_environment_id_total_id_idx" ON "invoice"("environment_id", "total", "id");
DROP INDEX "invoice_series_id_idx";
CREATE INDEX "invoice_environment_id_series_id_issued_at_id_idx"
  ON "invoice"("environment_id", "series_id", "issued_at" DESC, "id" DESC);

CREATE INDEX invoice_by_kind ON invoice (environment_id, kind, issued_at DESC, id DESC) WHERE kind <> 'original';
CREATE INDEX invoice_by_recipient ON invoice (environment_id, recipient_tax_id, issued_at DESC, id DESC)
  WHERE recipient_tax_id IS NOT NULL;
CREATE INDEX invoice_by_name ON invoice (
  environment_id, (folded(coalesce(recipient_company_name, recipient_name, '')) COLLATE "C"), id);
CREATE INDEX invoice_by_name_words ON invoice
  USING gin (name_words(environment_id, coalesce(recipient_company_name, recipient_name)))
  WHERE coalesce(recipient_company_name, recipient_name) IS NOT NULL;
CREATE INDEX invoice_by_number ON invoice (environment_id, (number_key(number, series_number) COLLATE "C"), id);
CREATE INDEX record_state_by_status ON record_state (environment_id, status) WHERE status <> 'registered';

-- The first position of a journal at or after an instant, whose times never go back; one beyond the last when there is none.
CREATE FUNCTION journal_position_at(journal integer, instant timestamptz) RETURNS integer LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  low integer := 1;
  high integer := coalesce((SELECT position FROM journal_head WHERE environment_id = journal), 0) + 1;
  middle integer;
BEGIN
  WHILE low < high LOOP
    middle := low + (high - low) / 2;
    IF (SELECT created_at FROM journal_entry WHERE environment_id = journal AND position = middle) >= instant THEN
      high := middle;
    ELSE
      low := middle + 1;
    END IF;
  END LOOP;
  RETURN low;
END $$;
