-- A number names one invoice in any case of its letters. Where the locale of the database is C, as that of the embedded one is, upper() knows
-- the letters of ASCII alone: Año/1 and AÑO/1 were two invoices, and what corrects them two families. Numbers in ASCII, which are all that
-- are issued here, keep their index; the others have one of their own.

-- A text in capitals with its accents composed, for Latin, Greek and Cyrillic letters: the same in every database, whatever its locale.
-- No letter beyond ASCII becomes one of ASCII, so a number in ASCII is never the same as another.
CREATE FUNCTION in_capitals(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  translate(upper(normalize(given) COLLATE "C"),
         'àáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿāăąćĉċčďđēĕėęěĝğġģĥħĩīĭįĵķĺļľŀł'
         'ńņňŋōŏőŕŗřśŝşšţťŧũūŭůűųŵŷźżžͱͳͷάέήίαβγδεζηθικλμνξοπρστυφχψωϊϋό'
         'ύώϙϛϝϟϡϣϥϧϩϫϭϯϳϸϻабвгдежзийклмнопрстуфхцчшщъыьэюяѐёђѓєѕіїјљњћќ'
         'ѝўџς',
         'ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞŸĀĂĄĆĈĊČĎĐĒĔĖĘĚĜĞĠĢĤĦĨĪĬĮĴĶĹĻĽĿŁ'
         'ŃŅŇŊŌŎŐŔŖŘŚŜŞŠŢŤŦŨŪŬŮŰŲŴŶŹŻŽͰͲͶΆΈΉΊΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫΌ'
         'ΎΏϘϚϜϞϠϢϤϦϨϪϬϮͿϷϺАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯЀЁЂЃЄЅІЇЈЉЊЋЌ'
         'ЍЎЏΣ');

-- Nobody may import such a number until the index is there.
LOCK TABLE invoice IN SHARE ROW EXCLUSIVE MODE;

-- Invoices that were imported under one number in different cases are sealed and stay as they are: the first one keeps the number for itself, and
-- where the others are, two invoices are found by it.
DO $$
DECLARE
  later text[] := (
    SELECT array_agg(id) FROM (
      SELECT id, row_number() OVER (PARTITION BY environment_id, in_capitals(number) ORDER BY imported_at, id) AS place
        FROM invoice WHERE octet_length(number) <> length(number)) AS numbered
     WHERE place > 1);
BEGIN
  IF later IS NULL THEN
    CREATE UNIQUE INDEX invoice_number_in_capitals ON invoice (environment_id, in_capitals(number))
      WHERE octet_length(number) <> length(number);
  ELSE
    CREATE INDEX invoice_number_in_capitals ON invoice (environment_id, in_capitals(number))
      WHERE octet_length(number) <> length(number);
    EXECUTE format(
      'CREATE UNIQUE INDEX invoice_number_of_one ON invoice (environment_id, in_capitals(number))
         WHERE octet_length(number) <> length(number) AND id <> ALL (%L::text[])', later);
  END IF;
END $$;

CREATE INDEX invoice_external_in_capitals ON invoice (environment_id, in_capitals(external_number), external_issued_on)
  WHERE octet_length(external_number) <> length(external_number);
