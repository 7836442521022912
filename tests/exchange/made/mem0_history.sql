BEGIN TRANSACTION;
CREATE TABLE history (
                        id           TEXT PRIMARY KEY,
                        memory_id    TEXT,
                        old_memory   TEXT,
                        new_memory   TEXT,
                        event        TEXT,
                        created_at   DATETIME,
                        updated_at   DATETIME,
                        is_deleted   INTEGER,
                        actor_id     TEXT,
                        role         TEXT
                    );
INSERT INTO "history" VALUES('014b319a-6dec-41af-91ce-559a23daae58','beb24242-f44f-4bdd-8b4c-0123ef5b7e4c',NULL,'Ann lives in Oslo','ADD','2026-11-17T12:36:08.875971+00:00','2026-11-17T12:36:08.875971+00:00',0,NULL,'user');
INSERT INTO "history" VALUES('f065c05e-9238-4dab-ab11-98e2d5f48ea2','cd7af128-5a41-4005-a89c-1ad54b560552',NULL,'Ann has a dog','ADD','2026-11-17T12:36:09.070546+00:00','2026-11-17T12:36:09.070546+00:00',0,NULL,'user');
INSERT INTO "history" VALUES('68ff68c7-ec2e-44fb-b238-2d87d736306b','3d7b4748-a9a7-48d3-a074-bc85a51ce743',NULL,'I drink tea','ADD','2026-11-17T12:36:09.230460+00:00','2026-11-17T12:36:09.230460+00:00',0,NULL,'user');
INSERT INTO "history" VALUES('b05d2de8-6507-4c3c-bd87-39e8fcb491ff','61d1bbb1-a07d-40e5-9971-43e8f3e80c9e',NULL,'Noted, tea it is','ADD','2026-11-17T12:36:09.399142+00:00','2026-11-17T12:36:09.399142+00:00',0,NULL,'assistant');
INSERT INTO "history" VALUES('9a313f70-eec4-4918-a798-14772de725f4','beb24242-f44f-4bdd-8b4c-0123ef5b7e4c','Ann lives in Oslo','Ann lives in Bergen','UPDATE','2026-11-17T12:36:08.875971+00:00','2026-11-17T12:36:09.519087+00:00',0,NULL,'user');
INSERT INTO "history" VALUES('b23952c0-bff3-41df-be9a-c9978e39dcd5','cd7af128-5a41-4005-a89c-1ad54b560552','Ann has a dog',NULL,'DELETE','2026-11-17T12:36:09.070546+00:00','2026-11-17T12:36:09.627921+00:00',1,NULL,'user');
CREATE TABLE messages (
                        id TEXT PRIMARY KEY,
                        session_scope TEXT,
                        role TEXT,
                        content TEXT,
                        name TEXT,
                        created_at DATETIME
                    );
COMMIT;
