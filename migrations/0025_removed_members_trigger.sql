-- Notes every membership that ends, and everybody who was without one before this was counted.
CREATE TRIGGER account_users_left AFTER DELETE ON account_users BEGIN
  INSERT INTO removed_members (account_user_id, account_id, user_id, removed_at)
    VALUES (OLD.id, OLD.account_id, OLD.user_id, CAST(unixepoch('subsec') * 1000 AS INTEGER))
    ON CONFLICT (account_user_id) DO UPDATE SET user_id = excluded.user_id, removed_at = excluded.removed_at;
END;
--> statement-breakpoint
INSERT INTO removed_members (account_user_id, account_id, user_id, removed_at)
  SELECT users.id, '', users.id, CAST(unixepoch('subsec') * 1000 AS INTEGER) FROM users
  WHERE NOT EXISTS (SELECT 1 FROM account_users WHERE account_users.user_id = users.id);
