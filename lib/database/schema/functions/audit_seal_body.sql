-- The body of the entry for a sealed result in RFC 8785 form: members in code-unit order, and no values but simple
-- texts.
create function audit_seal_body(of_run text, result_hash text, seal json) returns text
  language sql stable
as $$
        select format(
          '{"actor":{"kind":"application","uid":%s},"after_hash":%s,"at":%s,"before_hash":null,"decision_uid":null,'
            '"details":{"kind":%s,"result_hash":%s},"op":"run.sealed","outcome":{"code":null,"status":"done"},'
            '"payload_hash":%s,"request_id":%s,"subject":{"type":"run","uid":%s,"version":null}}',
          audit_text(r.application_uid), audit_text(seal ->> 'hash'),
          audit_text(coalesce(seal ->> 'sealed_at',
            to_char(coalesce(r.finished_at, now()) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))),
          audit_text(r.kind), audit_text(result_hash), audit_text(r.input_hash), audit_text(r.request_id),
          audit_text(r.uid))
        from run r where r.uid = of_run
      $$;
