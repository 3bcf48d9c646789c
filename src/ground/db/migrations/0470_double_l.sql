-- Catalan writes a double l with a dot between (col·legi). The words of such a name were only those beside the dot: collegi, as many write it,
-- did not find it. Now the whole word is one of them too.

-- A folded text without the dots of double l, also where the dot is a full stop or Unicode's l with a dot. Within words alone: S.L.L. stays.
CREATE FUNCTION double_l(given text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  regexp_replace(given, '(?<=[a-z])(l[.·]|ŀ)l(?=[a-z])', 'll', 'g');

CREATE OR REPLACE FUNCTION name_words(environment_id integer, name text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
  array_to_tsvector(ARRAY(SELECT environment_id || ' ' || word
                            FROM regexp_split_to_table(folded(name) || ' ' || double_l(folded(name)),
                                   '[\u0001-\u002f\u003a-\u0060\u007b-\u00bf\u2000-\u206f]+') AS word
                           WHERE word <> ''));

REINDEX INDEX recipient_name_words;
