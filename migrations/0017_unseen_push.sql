ALTER TABLE `push_subscriptions` ADD `seen_at` integer;--> statement-breakpoint
CREATE TRIGGER push_subscriptions_watched AFTER INSERT ON push_subscriptions
BEGIN
  INSERT INTO on_call_changes (id, account_id, kind, version)
    VALUES (NEW.account_user_id, NEW.account_id, 'person', hex(randomblob(8)))
    ON CONFLICT (id) DO UPDATE SET version = excluded.version;
END;
--> statement-breakpoint
INSERT INTO on_call_changes (id, account_id, kind, version)
  SELECT DISTINCT account_user_id, account_id, 'person', hex(randomblob(8)) FROM push_subscriptions WHERE true
  ON CONFLICT (id) DO UPDATE SET version = excluded.version;
